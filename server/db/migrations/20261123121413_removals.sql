-- Why a text was removed: the act, which stays public without names, and what is told to its author, which goes with the account.
-- Step: expand; safe while the old server still runs, whose removals have no row here.
-- Undo: drop the tables and the function.

create table forum_removals (
  id uuid primary key default gen_random_uuid(),
  what text not null check (what in ('post', 'comment')),
  -- Of the text; it may be gone for good by now.
  text_id uuid not null,
  rule text not null check (rule in ('spam', 'scam', 'abuse', 'illegal', 'personal', 'off_topic')),
  removed_at timestamptz not null,
  removed_by uuid references users (id) on delete set null,
  removed_by_role text not null check (removed_by_role in ('moderator', 'admin')),
  outcome text check (outcome in ('upheld', 'reversed', 'restored')),
  ended_at timestamptz,
  ended_by uuid references users (id) on delete set null,
  check ((outcome is null) = (ended_at is null)),
  -- Nobody decides about an appeal against their own act.
  check (outcome = 'restored' or ended_by <> removed_by)
);
create index forum_removals_newest on forum_removals (removed_at desc, id);
create index forum_removals_text on forum_removals (text_id);
create index forum_removals_removed_by on forum_removals (removed_by) where removed_by is not null;
create index forum_removals_ended_by on forum_removals (ended_by) where ended_by is not null;

create table forum_removal_notices (
  removal_id uuid primary key references forum_removals (id) on delete cascade,
  author_id uuid not null references users (id) on delete cascade,
  title text not null,
  content text not null,
  reason text not null check (length(reason) between 3 and 500),
  appeal text check (length(appeal) between 3 and 2000),
  appealed_at timestamptz,
  answer text check (length(answer) between 3 and 500),
  check ((appeal is null) = (appealed_at is null)),
  check (answer is null or appeal is not null)
);
create index forum_removal_notices_author on forum_removal_notices (author_id);
create index forum_removal_notices_appealed on forum_removal_notices (appealed_at) where appealed_at is not null;

-- One appeal for each removal.
create function keep_appeal() returns trigger language plpgsql as $$
begin
  if old.appealed_at is not null and (new.appeal, new.appealed_at) is distinct from (old.appeal, old.appealed_at) then
    raise exception 'an appeal is made once' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger forum_removal_notices_once before update on forum_removal_notices
  for each row execute function keep_appeal();

-- Appeals wait in the inbox. Without a look at every row: what the old check allowed, the new one allows too.
alter table inbox_owners drop constraint inbox_owners_source_check;
alter table inbox_owners add constraint inbox_owners_source_check
  check (source in ('payment', 'unplaced', 'request', 'creation', 'chain', 'submission', 'moderator', 'report', 'job',
    'deliverable', 'vote_cluster', 'refund', 'settlement', 'appeal')) not valid;
