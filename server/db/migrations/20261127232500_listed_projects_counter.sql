-- Each page of the list of projects has the number of all, and counted 10,000 entries of an index for it: about 1 ms. Now a counter as
-- those of 20261127002500 has it. The index lets a reader of one counter pass over the many rows of votes.
-- Step: expand; safe while the old server still runs: triggers count what it writes, and it reads nothing of this.
-- Mode: online
-- Undo: drop the four triggers and the index, delete from counter_changes where counter = 'listed_projects', create count_records()
-- and the constraint again as in 20261127002500.

alter table counter_changes drop constraint if exists counter_changes_counter_check;
alter table counter_changes add constraint counter_changes_counter_check
  check (counter in ('users', 'projects', 'listed_projects', 'next_projects', 'votes', 'candidates', 'news', 'moderators',
    'pending_moderators', 'posts', 'new_submissions')) not valid;
alter table counter_changes validate constraint counter_changes_counter_check;

create index concurrently if not exists counter_changes_by_counter on counter_changes (counter) include (amount) where counter <> 'votes';

create or replace function count_records() returns table (counter text, amount bigint) language sql stable as $$
  select 'users', count(*) from forum_users
  union all select 'projects', count(*) from projects where deleted_at is null
  union all select 'listed_projects', count(*) from projects where status in ('published_home', 'approved') and deleted_at is null
  union all select 'next_projects', count(*) from next_projects where deleted_at is null
  union all select 'votes', coalesce(sum(total_votes), 0) from voting_candidates
  union all select 'candidates', count(*) from voting_candidates where deleted_at is null
  union all select 'news', count(*) from news where is_active and deleted_at is null
  union all select 'moderators', count(*) from user_roles where role = 'moderator' and moderator_request_status = 'approved'
  union all select 'pending_moderators', count(*) from user_roles where moderator_request_status = 'pending'
  union all select 'posts', count(*) from forum_posts where not is_hidden
  union all select 'new_submissions', count(*) from project_submissions where status = 'new'
$$;

create or replace trigger listed_projects_counted after insert on projects
  for each row when (new.status in ('published_home', 'approved') and new.deleted_at is null)
  execute function change_counter('listed_projects', 1);
create or replace trigger listed_projects_uncounted after delete on projects
  for each row when (old.status in ('published_home', 'approved') and old.deleted_at is null)
  execute function change_counter('listed_projects', '-1');
create or replace trigger listed_projects_withdrawn after update of status, deleted_at on projects
  for each row when (old.status in ('published_home', 'approved') and old.deleted_at is null
    and not (new.status in ('published_home', 'approved') and new.deleted_at is null))
  execute function change_counter('listed_projects', '-1');
create or replace trigger listed_projects_published after update of status, deleted_at on projects
  for each row when (new.status in ('published_home', 'approved') and new.deleted_at is null
    and not (old.status in ('published_home', 'approved') and old.deleted_at is null))
  execute function change_counter('listed_projects', 1);

-- What was there before the triggers.
select recount_counters();
