-- The back office: versions of networks, addresses of staff in the audit log, reports of forum texts, owners of inbox items.
-- Step: expand; safe while the old server still runs (its entries hash as before). Undo: drop what is added here, and put
-- the former body of audit_chain() back.

alter table blockchain_networks
  add column version integer not null default 1,
  add column updated_at timestamptz not null default now();

-- Where staff acted from. Of members only the hash that ends with the day stays.
alter table audit_events add column address text;

-- As before, and with the address where there is one: entries from before this keep their hash.
create or replace function audit_chain() returns trigger language plpgsql as $$
begin
  -- One writer at a time from here to commit, so that the chain has no forks.
  perform pg_advisory_xact_lock(727275);
  new.id := nextval('audit_events_id');
  select hash into new.prev_hash from audit_events order by id desc limit 1;
  new.prev_hash := coalesce(new.prev_hash, '\x'::bytea);
  new.hash := sha256(new.prev_hash || convert_to((jsonb_build_array(new.at, new.actor_id, new.actor_role, new.action,
    new.resource_type, new.resource_id, new.before, new.after, new.reason, encode(new.ip_hash, 'hex'), new.request_id)
    || case when new.address is null then '[]'::jsonb else jsonb_build_array(new.address) end)::text, 'UTF8'));
  return new;
end $$;

-- Even where a lock fails nobody can follow the same entry twice.
create unique index audit_events_no_forks on audit_events (prev_hash);
create index audit_events_at on audit_events (at);

-- What members find wrong in a post or comment; one report of each member and text.
create table forum_reports (
  id uuid primary key default gen_random_uuid(),
  post_id uuid references forum_posts (id) on delete cascade,
  comment_id uuid references forum_comments (id) on delete cascade,
  reporter_id uuid not null references users (id) on delete cascade,
  reason text not null check (reason in ('spam', 'scam', 'abuse', 'other')),
  note text check (char_length(note) <= 500),
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolved_by uuid references users (id) on delete set null,
  resolution text check (resolution in ('kept', 'hidden')),
  constraint forum_reports_one_target check (num_nonnulls(post_id, comment_id) = 1),
  constraint forum_reports_once unique nulls not distinct (reporter_id, post_id, comment_id)
);
create index forum_reports_post on forum_reports (post_id) where resolved_at is null;
create index forum_reports_comment on forum_reports (comment_id) where resolved_at is null;
create index forum_reports_open on forum_reports (created_at) where resolved_at is null;

-- Who works on which item of the inbox. The items themselves are never stored: they follow from what waits.
create table inbox_owners (
  source text not null check (source in ('payment', 'request', 'submission', 'moderator', 'report', 'job')),
  item_id text not null,
  owner_id uuid not null references users (id) on delete cascade,
  taken_at timestamptz not null default now(),
  primary key (source, item_id)
);

-- What the inbox and the dashboard count.
create index project_submissions_new on project_submissions (created_at) where status = 'new';
create index token_creation_submissions_paid on token_creation_submissions (updated_at) where payment_status = 'completed';
