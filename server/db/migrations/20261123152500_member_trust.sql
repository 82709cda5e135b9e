-- How far the forum trusts members, by rules that are public, and texts that wait until a moderator has read them.
-- Step: expand; safe while the old server still runs, which asks nobody to wait.
-- Mode: online
-- Undo: drop the tables, the functions and the column; texts that wait stay hidden.

create table if not exists member_trust (
  user_id uuid primary key references users (id) on delete cascade,
  level integer not null default 0 check (level between 0 and 2),
  -- Set by staff: the rules leave it as it is.
  held boolean not null default false,
  changed_at timestamptz not null default now()
);
-- Each change of a level, by a rule with its figures or by staff with a reason; taken back by another row, never changed.
create table if not exists member_trust_changes (
  id uuid primary key default gen_random_uuid(),
  -- Their order: two can be of one moment.
  number bigint not null generated always as identity,
  user_id uuid not null references users (id) on delete cascade,
  cause text not null check (cause in ('rule', 'staff', 'undo')),
  from_level integer not null check (from_level between 0 and 2),
  from_held boolean not null,
  to_level integer not null check (to_level between 0 and 2),
  to_held boolean not null,
  days integer,
  texts integer,
  removals integer,
  reason text check (length(reason) between 3 and 500),
  changed_by uuid references users (id) on delete set null,
  undoes uuid unique references member_trust_changes (id) on delete cascade,
  changed_at timestamptz not null,
  check ((cause = 'rule') = (reason is null)),
  check ((cause = 'rule') = (num_nonnulls(days, texts, removals) = 3)),
  check ((cause = 'undo') = (undoes is not null))
);
create index if not exists member_trust_changes_of on member_trust_changes (user_id, number desc);
create index if not exists member_trust_changes_by on member_trust_changes (changed_by) where changed_by is not null;

-- A post or comment that waited for a moderator, and what became of it. It is hidden while it waits.
create table if not exists forum_reviews (
  text_id uuid primary key,
  what text not null check (what in ('post', 'comment')),
  post_id uuid references forum_posts (id) on delete cascade,
  comment_id uuid references forum_comments (id) on delete cascade,
  author_id uuid not null references users (id) on delete cascade,
  why text not null check (why in ('first', 'link')),
  links boolean not null,
  since timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'released', 'declined')),
  decided_at timestamptz,
  decided_by uuid references users (id) on delete set null,
  check (text_id = case what when 'post' then post_id else comment_id end and num_nonnulls(post_id, comment_id) = 1),
  check ((state = 'waiting') = (decided_at is null)),
  -- Nobody releases or declines a text of their own.
  check (decided_by <> author_id)
);
create index if not exists forum_reviews_waiting on forum_reviews (since, text_id) where state = 'waiting';
create index if not exists forum_reviews_author on forum_reviews (author_id, since desc);
create index if not exists forum_reviews_post on forum_reviews (post_id) where post_id is not null;
create index if not exists forum_reviews_comment on forum_reviews (comment_id) where comment_id is not null;
create index if not exists forum_reviews_decided_by on forum_reviews (decided_by) where decided_by is not null;

-- What waits or was declined is shown by nothing but a release.
create or replace function forum_text_waits() returns trigger language plpgsql as $$
begin
  if exists (select 1 from forum_reviews where text_id = new.id and state <> 'released') then
    raise exception 'the text waits for a review' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create or replace trigger forum_post_waits before update of is_hidden on forum_posts
  for each row when (old.is_hidden and not new.is_hidden) execute function forum_text_waits();
create or replace trigger forum_comment_waits before update of is_hidden on forum_comments
  for each row when (old.is_hidden and not new.is_hidden) execute function forum_text_waits();

-- A text that was declined was never shown.
alter table forum_removals add column if not exists unseen boolean not null default false;

-- Who is here already does not begin anew: nobody below 1, and 2 for who has written much, by the rules of the start.
-- Batch
insert into member_trust (user_id, level)
  select u.id, case when u.created_at < now() - interval '30 days' and (
      (select count(*) from (select 1 from forum_posts p join forum_users f on f.id = p.forum_user_id
        where f.new_auth_user_id = u.id and not p.is_hidden limit 20) p)
      + (select count(*) from (select 1 from forum_comments c where c.user_id = u.id and not c.is_hidden limit 20) c)) >= 20
    then 2 else 1 end
  from users u where not exists (select 1 from member_trust t where t.user_id = u.id)
  order by u.id limit 5000
  on conflict do nothing;

-- What waits for a review is work of the inbox. Without a look at every row: what the old check allowed, the new one allows too.
alter table inbox_owners drop constraint if exists inbox_owners_source_check;
alter table inbox_owners add constraint inbox_owners_source_check
  check (source in ('payment', 'unplaced', 'request', 'creation', 'chain', 'submission', 'moderator', 'report', 'job',
    'deliverable', 'vote_cluster', 'refund', 'settlement', 'appeal', 'review')) not valid;
