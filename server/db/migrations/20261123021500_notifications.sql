-- Notifications: what concerns a member, once for each cause, and how it reaches them.
-- Step: expand; safe while the old server still runs. Undo: drop the tables that are made here.

create table notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('replies', 'mentions', 'reactions', 'decisions', 'orders', 'follows', 'rounds', 'security')),
  -- What happened, such as 'comment:<id>': the key below is why nobody is told twice of it.
  cause text not null check (length(cause) between 1 and 200),
  -- Who did it, and the post it is about: their names are read when the list is, so what is hidden or gone is not told.
  actor_id uuid references users (id) on delete set null,
  post_id uuid references forum_posts (id) on delete cascade,
  -- Which of the things that can happen in its kind.
  detail text not null,
  data jsonb not null default '{}',
  -- People who did it, of what is gathered.
  gathered integer not null default 1 check (gathered > 0),
  locale text check (locale in ('es', 'en')),
  in_app boolean not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  read_at timestamptz,
  unique (user_id, cause)
);
create index notifications_list on notifications (user_id, changed_at desc, id) where in_app;
create index notifications_unread on notifications (user_id) where in_app and read_at is null;
create index notifications_old on notifications (changed_at);
create index notifications_actor on notifications (actor_id) where actor_id is not null;
create index notifications_post on notifications (post_id) where post_id is not null;

-- Who is counted in what is gathered.
create table notification_actors (
  notification_id uuid not null references notifications (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  primary key (notification_id, user_id)
);
create index notification_actors_user on notification_actors (user_id);

-- One for each notification and channel: the key is why nothing is mailed or pushed twice.
create table notification_deliveries (
  notification_id uuid not null references notifications (id) on delete cascade,
  channel text not null check (channel in ('mail', 'push')),
  state text not null default 'waiting' check (state in ('waiting', 'done', 'dropped')),
  due_at timestamptz not null,
  primary key (notification_id, channel)
);
create index notification_deliveries_due on notification_deliveries (due_at) where state = 'waiting';

-- What a member chose; what is not here is as contract/notifications.ts says.
create table notification_settings (
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('replies', 'mentions', 'reactions', 'decisions', 'orders', 'follows', 'rounds', 'security')),
  in_app boolean not null,
  mail text not null check (mail in ('off', 'now', 'daily')),
  push boolean not null,
  primary key (user_id, kind)
);

-- When a member wants to be left alone, in minutes of their own day, and in which language they are written to.
create table notification_readers (
  user_id uuid primary key references users (id) on delete cascade,
  locale text not null check (locale in ('es', 'en')),
  zone text not null,
  quiet_from integer check (quiet_from between 0 and 1439),
  quiet_to integer check (quiet_to between 0 and 1439),
  check ((quiet_from is null) = (quiet_to is null)),
  check (quiet_from <> quiet_to)
);

-- A browser that shows notifications while no page is open; it ends with the session in which it was turned on, so that
-- whoever signs in there next does not read them.
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  session_id uuid not null references sessions (id) on delete cascade,
  endpoint text not null unique check (length(endpoint) <= 1000),
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null
);
create index push_subscriptions_session on push_subscriptions (session_id);
create index push_subscriptions_user on push_subscriptions (user_id, created_at);

-- One for each notification and browser.
create table push_sends (
  notification_id uuid not null references notifications (id) on delete cascade,
  subscription_id uuid not null references push_subscriptions (id) on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  primary key (notification_id, subscription_id)
);
create index push_sends_due on push_sends (due_at) where state = 'waiting';
create index push_sends_subscription on push_sends (subscription_id);

-- Rounds whose voters were told how they ended. Of those that ended before this nobody is told.
create table notified_rounds (
  round_id uuid primary key references voting_rounds (id) on delete cascade,
  -- The last voter who was told; voters are told in the order of their ids.
  told_up_to uuid,
  done_at timestamptz
);
insert into notified_rounds (round_id, done_at) select id, now() from voting_rounds where status = 'closed';
