-- The product's own tables: showcase, voting, news, forum, presence, requests, audit.
-- Step: first. Undo: drop the database.

create table projects (
  id uuid primary key default gen_random_uuid(),
  token_name text not null check (char_length(btrim(token_name)) between 1 and 120),
  token_symbol text not null check (char_length(token_symbol) between 1 and 10),
  token_slug text not null unique check (token_slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  token_address text not null unique check (char_length(token_address) >= 10),
  contract_address text,
  description text,
  description_full text,
  image_url text,
  website_url text check (website_url ~ '^https?://'),
  telegram_url text check (telegram_url ~ '^https?://'),
  twitter_url text check (twitter_url ~ '^https?://'),
  discord_url text check (discord_url ~ '^https?://'),
  holders_count integer check (holders_count >= 0),
  market_cap text not null default '$0',
  progress_percentage integer not null default 0 check (progress_percentage between 0 and 100),
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'rejected', 'published_home', 'published_next')),
  is_featured boolean not null default false,
  -- 1 to 3 is a podium slot; 999 is 'no place of its own'.
  order_index integer not null default 999,
  admin_notes text,
  submitted_by_user_id uuid references users (id) on delete set null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by uuid references users (id) on delete set null,
  constraint projects_podium_is_home check (order_index not between 1 and 3 or status = 'published_home' or deleted_at is not null)
);
create unique index projects_podium_slot on projects (order_index) where order_index between 1 and 3 and deleted_at is null;
create index projects_home on projects (order_index, created_at desc, id)
  where status in ('published_home', 'approved') and deleted_at is null;
create index projects_newest on projects (created_at desc, id)
  where status in ('published_home', 'approved') and deleted_at is null;
create index projects_admin on projects (created_at desc, id) where deleted_at is null;

create table voting_rounds (
  id uuid primary key default gen_random_uuid(),
  number integer not null unique check (number > 0),
  status text not null default 'open' check (status in ('open', 'closed')),
  opens_at timestamptz not null default now(),
  closes_at timestamptz not null,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  check (closes_at > opens_at)
);
create unique index voting_rounds_one_open on voting_rounds (status) where status = 'open';

create table voting_candidates (
  id uuid primary key default gen_random_uuid(),
  token_name text not null check (char_length(btrim(token_name)) between 1 and 120),
  token_symbol text not null check (char_length(token_symbol) between 1 and 10),
  token_slug text not null unique check (token_slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  description text,
  description_full text,
  image_url text,
  contract_address text,
  website_url text check (website_url ~ '^https?://'),
  telegram_url text check (telegram_url ~ '^https?://'),
  twitter_url text check (twitter_url ~ '^https?://'),
  discord_url text check (discord_url ~ '^https?://'),
  order_index integer not null default 0,
  is_active boolean not null default true,
  admin_notes text,
  -- Equals count(votes); written only by the statement that writes the votes.
  total_votes integer not null default 0 check (total_votes >= 0),
  -- When the present total was reached: of two equal totals the earlier one wins a round.
  total_reached_at timestamptz,
  price numeric,
  volume_24h numeric,
  market_cap numeric,
  swaps_count bigint,
  max_supply numeric,
  tokens_in_swap numeric,
  holders_count integer check (holders_count >= 0),
  tokens_with_holders numeric,
  sol_in_liquidity numeric,
  tokens_in_sol_pool numeric,
  war_in_liquidity numeric,
  tokens_in_war_pool numeric,
  locked_amount numeric,
  locked_value numeric,
  burnt_percentage numeric check (burnt_percentage between 0 and 100),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by uuid references users (id) on delete set null
);
create index voting_candidates_ranking on voting_candidates (total_votes desc, order_index, created_at, id)
  where is_active and deleted_at is null;
create index voting_candidates_admin on voting_candidates (order_index, created_at desc, id) where deleted_at is null;

alter table voting_rounds add column winner_candidate_id uuid references voting_candidates (id) on delete set null;

-- One row per member, candidate and UTC day: the voting rule itself.
create table votes (
  id bigint generated always as identity primary key,
  candidate_id uuid not null references voting_candidates (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  voted_on date not null,
  created_at timestamptz not null default now(),
  ip_hash bytea,
  constraint votes_once_a_day unique (candidate_id, voted_on, user_id)
);
create index votes_of_member on votes (user_id, voted_on);

-- Votes per candidate and UTC day, written with the votes: reads never count a million rows.
create table candidate_daily_votes (
  candidate_id uuid not null references voting_candidates (id) on delete cascade,
  day date not null,
  votes integer not null check (votes >= 0),
  primary key (candidate_id, day)
);

create view voting_candidates_with_stats as
select c.id, c.token_name, c.token_symbol, c.token_slug, c.description, c.description_full, c.image_url,
       c.contract_address, c.website_url, c.telegram_url, c.twitter_url, c.discord_url,
       c.order_index, c.is_active, c.total_votes, coalesce(d.votes, 0) as votes_today,
       c.price, c.volume_24h, c.market_cap, c.max_supply, c.holders_count, c.created_at
from voting_candidates c
left join candidate_daily_votes d on d.candidate_id = c.id and d.day = (now() at time zone 'UTC')::date
where c.deleted_at is null;

create table next_projects (
  id uuid primary key default gen_random_uuid(),
  token_name text not null check (char_length(btrim(token_name)) between 1 and 120),
  token_symbol text not null check (char_length(token_symbol) between 1 and 10),
  token_address text,
  contract_address text,
  description text,
  description_full text,
  image_url text,
  website_url text check (website_url ~ '^https?://'),
  telegram_url text check (telegram_url ~ '^https?://'),
  twitter_url text check (twitter_url ~ '^https?://'),
  discord_url text check (discord_url ~ '^https?://'),
  launch_date timestamptz,
  countdown_end timestamptz,
  status text not null default 'published' check (status in ('pending', 'published', 'launched')),
  is_featured boolean not null default false,
  is_active boolean not null default true,
  is_voting_winner boolean not null default false,
  voting_round_id uuid unique references voting_rounds (id) on delete set null,
  order_index integer not null default 0,
  progress_percentage integer not null default 0 check (progress_percentage between 0 and 100),
  price numeric not null default 0 check (price >= 0),
  market_cap text not null default 'TBD',
  admin_notes text,
  submitted_by_user_id uuid references users (id) on delete set null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by uuid references users (id) on delete set null
);
create unique index next_projects_address on next_projects (token_address) where token_address is not null;
create index next_projects_public on next_projects (order_index, created_at desc, id)
  where is_active and status in ('published', 'launched') and deleted_at is null;
create index next_projects_admin on next_projects (order_index, id) where deleted_at is null;

create table news (
  id uuid primary key default gen_random_uuid(),
  title text not null check (char_length(btrim(title)) between 1 and 200),
  content text not null check (btrim(content) <> ''),
  image_url text,
  author_name text not null default 'Admin',
  is_active boolean not null default false,
  -- Stamped when the item is first shown; never changed afterwards.
  published_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by uuid references users (id) on delete set null
);
create index news_public on news (published_at desc nulls last, id) where is_active and deleted_at is null;
create index news_admin on news (created_at desc, id) where deleted_at is null;

create table forum_posts (
  id uuid primary key default gen_random_uuid(),
  title text not null check (char_length(btrim(title)) between 1 and 200),
  content text not null check (char_length(btrim(content)) between 1 and 2000),
  forum_user_id uuid references forum_users (id) on delete set null,
  is_hidden boolean not null default false,
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  deleted_at timestamptz,
  deleted_by uuid references users (id) on delete set null
);
create index forum_posts_newest on forum_posts (created_at desc, id) where not is_hidden;
create index forum_posts_author on forum_posts (forum_user_id);

create table forum_comments (
  id uuid primary key default gen_random_uuid(),
  post_id uuid not null references forum_posts (id) on delete cascade,
  user_id uuid references users (id) on delete set null,
  content text not null check (char_length(btrim(content)) between 1 and 2000),
  is_hidden boolean not null default false,
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  deleted_at timestamptz,
  deleted_by uuid references users (id) on delete set null
);
create index forum_comments_thread on forum_comments (post_id, created_at, id) where not is_hidden;
create index forum_comments_author on forum_comments (user_id);

create table post_reactions (
  post_id uuid not null references forum_posts (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  emoji_type text not null check (emoji_type in ('like', 'love', 'laugh', 'wow', 'sad', 'angry')),
  created_at timestamptz not null default now(),
  primary key (post_id, user_id, emoji_type)
);
create index post_reactions_member on post_reactions (user_id);

-- One row per open tab of a member; name and short id come from forum_users.
create table user_connections (
  user_id uuid not null references users (id) on delete cascade,
  session_id uuid not null,
  is_online boolean not null default true,
  connected_at timestamptz not null default now(),
  last_seen timestamptz not null default now(),
  primary key (user_id, session_id)
);
create index user_connections_seen on user_connections (last_seen) where is_online;

create table blockchain_networks (
  id uuid primary key default gen_random_uuid(),
  -- Stored in requests as their network; never changes when the label does.
  key text not null unique check (key ~ '^[a-z0-9-]+$'),
  name text not null check (btrim(name) <> ''),
  symbol text not null check (char_length(symbol) between 1 and 10),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by uuid references users (id) on delete set null
);
create unique index blockchain_networks_name on blockchain_networks (lower(name)) where deleted_at is null;
create unique index blockchain_networks_symbol on blockchain_networks (lower(symbol)) where deleted_at is null;

create table token_creation_submissions (
  id uuid primary key default gen_random_uuid(),
  membership_type text not null default 'entry' check (membership_type in ('entry', 'basic', 'standard', 'complete')),
  token_data jsonb not null default '{}' check (jsonb_typeof(token_data) = 'object'),
  status text not null default 'incomplete' check (status in ('incomplete', 'pending_payment', 'completed')),
  payment_status text not null default 'pending' check (payment_status in ('pending', 'completed', 'failed')),
  payment_id text unique,
  user_id uuid references users (id) on delete set null,
  owner_wallet_address text,
  petitioner_email text,
  petitioner_telegram text,
  selected_network text,
  -- Whole US dollars, from the server's price table.
  plan_price_usd integer not null default 50 check (plan_price_usd > 0),
  plan_price_sol numeric,
  -- SHA-256 of the secret that lets a guest edit this draft.
  edit_secret_hash bytea not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index token_creation_submissions_newest on token_creation_submissions (created_at desc, id);
create index token_creation_submissions_owner on token_creation_submissions (user_id);

create table project_submissions (
  id uuid primary key default gen_random_uuid(),
  submitter_name text,
  submitter_email text,
  status text not null default 'new' check (status in ('new', 'reviewed', 'approved', 'rejected')),
  admin_notes text,
  reviewed_at timestamptz,
  project_data jsonb,
  created_at timestamptz not null default now()
);
create index project_submissions_newest on project_submissions (created_at desc, id);

-- A member's watch list: exactly one of the three targets.
create table saved_tokens (
  user_id uuid not null references users (id) on delete cascade,
  project_id uuid references projects (id) on delete cascade,
  candidate_id uuid references voting_candidates (id) on delete cascade,
  next_project_id uuid references next_projects (id) on delete cascade,
  saved_at timestamptz not null default now(),
  constraint saved_tokens_one_target check (num_nonnulls(project_id, candidate_id, next_project_id) = 1),
  constraint saved_tokens_once unique nulls not distinct (user_id, project_id, candidate_id, next_project_id)
);
create index saved_tokens_member on saved_tokens (user_id, saved_at desc);

create table settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null
);

-- Counters of the rate limits, shared by all processes; losing them in a crash is harmless.
create unlogged table rate_limits (
  key text primary key,
  hits integer not null,
  window_ends timestamptz not null
);
create index rate_limits_expiry on rate_limits (window_ends);

-- Who did what, when, to what, with what effect. Append-only and chained: each row holds the hash of the one before.
create sequence audit_events_id;
create table audit_events (
  -- Drawn inside the chain's lock: the order of ids is the order of the chain.
  id bigint primary key,
  at timestamptz not null default clock_timestamp(),
  actor_id uuid,
  actor_role text not null default 'system' check (actor_role in ('visitor', 'user', 'moderator', 'admin', 'system')),
  action text not null,
  resource_type text not null,
  resource_id text,
  before jsonb,
  after jsonb,
  reason text,
  ip_hash bytea,
  request_id text,
  prev_hash bytea not null,
  hash bytea not null unique
);
create index audit_events_resource on audit_events (resource_type, resource_id, id desc);
create index audit_events_actor on audit_events (actor_id, id desc);
create index audit_events_action on audit_events (action, id desc);

create function audit_chain() returns trigger language plpgsql as $$
begin
  -- One writer at a time from here to commit, so that the chain has no forks.
  perform pg_advisory_xact_lock(727275);
  new.id := nextval('audit_events_id');
  select hash into new.prev_hash from audit_events order by id desc limit 1;
  new.prev_hash := coalesce(new.prev_hash, '\x'::bytea);
  new.hash := sha256(new.prev_hash || convert_to(jsonb_build_array(new.at, new.actor_id, new.actor_role, new.action,
    new.resource_type, new.resource_id, new.before, new.after, new.reason, encode(new.ip_hash, 'hex'), new.request_id)::text, 'UTF8'));
  return new;
end $$;
create trigger audit_chain before insert on audit_events for each row execute function audit_chain();

create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'audit_events is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_no_change before update or delete on audit_events for each row execute function audit_is_append_only();
create trigger audit_no_truncate before truncate on audit_events for each statement execute function audit_is_append_only();

insert into blockchain_networks (key, name, symbol, created_at) values
  ('solana', 'Solana', 'SOL', '2026-01-01T00:00:00Z'),
  ('ethereum', 'Ethereum', 'ETH', '2026-01-01T00:00:01Z'),
  ('bnb', 'BNB Chain', 'BNB', '2026-01-01T00:00:02Z'),
  ('polygon', 'Polygon', 'POL', '2026-01-01T00:00:03Z');
insert into voting_rounds (number, opens_at, closes_at) values (1, now(), now() + interval '15 days');
