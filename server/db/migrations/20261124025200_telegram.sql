-- Telegram as one more channel of notifications (docs/adr/0070-telegram.md).
-- Step: expand; safe while the old server still runs. It does not know the channel: once a chat is linked, an old process that meets
-- a due row of it leaves all that is due for that member for an hour.
-- Undo: delete the deliveries of the channel 'telegram', put the check back, drop the four tables and notification_settings.telegram.

-- A constant default: no row is rewritten.
alter table notification_settings add column telegram boolean not null default true;

-- Without a look at every row: what the old check allowed, the new one allows too.
alter table notification_deliveries drop constraint if exists notification_deliveries_channel_check;
alter table notification_deliveries add constraint notification_deliveries_channel_check
  check (channel in ('mail', 'push', 'telegram')) not valid;

-- What is known of a bot: which process reads what it is told, and until when; where reading goes on; when it may send again.
create table telegram_bots (
  bot_id bigint primary key check (bot_id > 0),
  holder uuid,
  leased_until timestamptz not null,
  next_update bigint,
  -- Of the last update.
  seen_at timestamptz,
  paused_until timestamptz
);

-- The private chat that gets a member's notifications: one for a member, and one member for a chat. Groups have negative numbers.
create table telegram_chats (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique references users (id) on delete cascade,
  bot_id bigint not null check (bot_id > 0),
  chat_id bigint not null check (chat_id > 0),
  -- As the person calls themselves there, so that the member knows it again.
  name text not null check (length(name) <= 100),
  linked_at timestamptz not null,
  unique (bot_id, chat_id)
);

-- A code that links a chat once, for a short time, for whoever asked in a session that still lives; only its hash is kept.
create table telegram_link_codes (
  user_id uuid primary key references users (id) on delete cascade,
  session_id uuid not null references sessions (id) on delete cascade,
  code_hash bytea not null unique check (octet_length(code_hash) = 32),
  locale text not null check (locale in ('es', 'en')),
  zone text,
  expires_at timestamptz not null
);
create index telegram_link_codes_session on telegram_link_codes (session_id);

-- What the bot says: a notification, once for each, or an answer to a command.
create table telegram_messages (
  id uuid primary key default gen_random_uuid(),
  bot_id bigint not null,
  chat_id bigint not null,
  link_id uuid references telegram_chats (id) on delete cascade,
  notification_id uuid unique references notifications (id) on delete cascade,
  reply text check (reply in ('linked', 'code_wrong', 'chat_taken', 'not_linked', 'stopped', 'moved', 'help')),
  -- Of the account, where an answer names it.
  about text,
  locale text not null check (locale in ('es', 'en')),
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'failed')),
  attempts integer not null default 0,
  -- Times that nobody knows whether Telegram took it.
  unsure integer not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  check ((notification_id is null) <> (reply is null)),
  check ((notification_id is null) = (link_id is null))
);
create index telegram_messages_due on telegram_messages (bot_id, due_at) where state in ('waiting', 'sending');
create index telegram_messages_link on telegram_messages (link_id);
create index telegram_messages_replies on telegram_messages (chat_id, created_at) where reply is not null;
