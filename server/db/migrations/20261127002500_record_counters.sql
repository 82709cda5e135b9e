-- The dashboard counted ten tables anew each time: 299 ms with 100,000 rows each. Each change of a count is a row here, written by
-- triggers in the transaction that causes it, so the sum of a counter is its count in every snapshot. Rows are only inserted, hence no
-- writer waits for another; a job sums them up (server/db/counters.sql.ts).
-- Step: expand; safe while the old server still runs: triggers count what it writes, and it reads nothing of this.
-- Mode: online
-- Undo: drop the triggers, the functions and the table.

create table if not exists counter_changes (
  counter text not null check (counter in ('users', 'projects', 'next_projects', 'votes', 'candidates', 'news', 'moderators',
    'pending_moderators', 'posts', 'new_submissions')),
  amount bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- The counts themselves, read from all rows.
create or replace function count_records() returns table (counter text, amount bigint) language sql stable as $$
  select 'users', count(*) from forum_users
  union all select 'projects', count(*) from projects where deleted_at is null
  union all select 'next_projects', count(*) from next_projects where deleted_at is null
  union all select 'votes', coalesce(sum(total_votes), 0) from voting_candidates
  union all select 'candidates', count(*) from voting_candidates where deleted_at is null
  union all select 'news', count(*) from news where is_active and deleted_at is null
  union all select 'moderators', count(*) from user_roles where role = 'moderator' and moderator_request_status = 'approved'
  union all select 'pending_moderators', count(*) from user_roles where moderator_request_status = 'pending'
  union all select 'posts', count(*) from forum_posts where not is_hidden
  union all select 'new_submissions', count(*) from project_submissions where status = 'new'
$$;

-- Corrects every counter and returns by how much; while others write, too, because counts and changes are read in one snapshot.
create or replace function recount_counters() returns table (corrected text, difference bigint) language plpgsql as $$
begin
  -- Two at once would both add the difference.
  perform pg_advisory_xact_lock(hashtext('recount_counters'));
  return query
    insert into counter_changes (counter, amount)
    select t.counter, t.amount - coalesce(k.amount, 0)
    from count_records() t
    left join (select c.counter, sum(c.amount)::bigint as amount from counter_changes c group by 1) k on k.counter = t.counter
    where t.amount <> coalesce(k.amount, 0)
    returning counter_changes.counter, counter_changes.amount;
end $$;

-- Arguments: the counter and the amount.
create or replace function change_counter() returns trigger language plpgsql as $$
begin
  insert into counter_changes (counter, amount) values (tg_argv[0], tg_argv[1]::bigint);
  return null;
end $$;

create or replace trigger users_counted after insert on forum_users
  for each row execute function change_counter('users', 1);
create or replace trigger users_uncounted after delete on forum_users
  for each row execute function change_counter('users', '-1');

create or replace trigger projects_counted after insert on projects
  for each row when (new.deleted_at is null) execute function change_counter('projects', 1);
create or replace trigger projects_uncounted after delete on projects
  for each row when (old.deleted_at is null) execute function change_counter('projects', '-1');
create or replace trigger projects_trashed after update on projects
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function change_counter('projects', '-1');
create or replace trigger projects_restored after update on projects
  for each row when (old.deleted_at is not null and new.deleted_at is null) execute function change_counter('projects', 1);

create or replace trigger next_projects_counted after insert on next_projects
  for each row when (new.deleted_at is null) execute function change_counter('next_projects', 1);
create or replace trigger next_projects_uncounted after delete on next_projects
  for each row when (old.deleted_at is null) execute function change_counter('next_projects', '-1');
create or replace trigger next_projects_trashed after update on next_projects
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function change_counter('next_projects', '-1');
create or replace trigger next_projects_restored after update on next_projects
  for each row when (old.deleted_at is not null and new.deleted_at is null) execute function change_counter('next_projects', 1);

create or replace trigger candidates_counted after insert on voting_candidates
  for each row when (new.deleted_at is null) execute function change_counter('candidates', 1);
create or replace trigger candidates_uncounted after delete on voting_candidates
  for each row when (old.deleted_at is null) execute function change_counter('candidates', '-1');
create or replace trigger candidates_trashed after update on voting_candidates
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function change_counter('candidates', '-1');
create or replace trigger candidates_restored after update on voting_candidates
  for each row when (old.deleted_at is not null and new.deleted_at is null) execute function change_counter('candidates', 1);

create or replace trigger news_counted after insert on news
  for each row when (new.is_active and new.deleted_at is null) execute function change_counter('news', 1);
create or replace trigger news_uncounted after delete on news
  for each row when (old.is_active and old.deleted_at is null) execute function change_counter('news', '-1');
create or replace trigger news_withdrawn after update on news
  for each row when (old.is_active and old.deleted_at is null and not (new.is_active and new.deleted_at is null))
  execute function change_counter('news', '-1');
create or replace trigger news_published after update on news
  for each row when (new.is_active and new.deleted_at is null and not (old.is_active and old.deleted_at is null))
  execute function change_counter('news', 1);

create or replace trigger moderators_counted after insert on user_roles
  for each row when (new.role = 'moderator' and new.moderator_request_status = 'approved')
  execute function change_counter('moderators', 1);
create or replace trigger moderators_uncounted after delete on user_roles
  for each row when (old.role = 'moderator' and old.moderator_request_status = 'approved')
  execute function change_counter('moderators', '-1');
create or replace trigger moderators_ended after update on user_roles
  for each row when (old.role = 'moderator' and old.moderator_request_status = 'approved'
    and not (new.role = 'moderator' and new.moderator_request_status = 'approved'))
  execute function change_counter('moderators', '-1');
create or replace trigger moderators_appointed after update on user_roles
  for each row when (new.role = 'moderator' and new.moderator_request_status = 'approved'
    and not (old.role = 'moderator' and old.moderator_request_status = 'approved'))
  execute function change_counter('moderators', 1);

create or replace trigger pending_moderators_counted after insert on user_roles
  for each row when (new.moderator_request_status = 'pending') execute function change_counter('pending_moderators', 1);
create or replace trigger pending_moderators_uncounted after delete on user_roles
  for each row when (old.moderator_request_status = 'pending') execute function change_counter('pending_moderators', '-1');
create or replace trigger pending_moderators_decided after update on user_roles
  for each row when (old.moderator_request_status = 'pending' and new.moderator_request_status <> 'pending')
  execute function change_counter('pending_moderators', '-1');
create or replace trigger pending_moderators_requested after update on user_roles
  for each row when (old.moderator_request_status <> 'pending' and new.moderator_request_status = 'pending')
  execute function change_counter('pending_moderators', 1);

create or replace trigger posts_counted after insert on forum_posts
  for each row when (not new.is_hidden) execute function change_counter('posts', 1);
create or replace trigger posts_uncounted after delete on forum_posts
  for each row when (not old.is_hidden) execute function change_counter('posts', '-1');
create or replace trigger posts_hidden after update on forum_posts
  for each row when (not old.is_hidden and new.is_hidden) execute function change_counter('posts', '-1');
create or replace trigger posts_shown after update on forum_posts
  for each row when (old.is_hidden and not new.is_hidden) execute function change_counter('posts', 1);

create or replace trigger new_submissions_counted after insert on project_submissions
  for each row when (new.status = 'new') execute function change_counter('new_submissions', 1);
create or replace trigger new_submissions_uncounted after delete on project_submissions
  for each row when (old.status = 'new') execute function change_counter('new_submissions', '-1');
create or replace trigger new_submissions_read after update on project_submissions
  for each row when (old.status = 'new' and new.status <> 'new') execute function change_counter('new_submissions', '-1');
create or replace trigger new_submissions_reopened after update on project_submissions
  for each row when (old.status <> 'new' and new.status = 'new') execute function change_counter('new_submissions', 1);

-- Votes: the totals of the candidates. A group of votes changes many of them in one statement: one row for all of them.
create or replace function change_votes_counter() returns trigger language plpgsql as $$
begin
  insert into counter_changes (counter, amount)
  select 'votes', d.amount
  from (select coalesce((select sum(total_votes) from came), 0) - coalesce((select sum(total_votes) from gone), 0) as amount) d
  where d.amount <> 0;
  return null;
end $$;
create or replace function add_votes_counter() returns trigger language plpgsql as $$
begin
  insert into counter_changes (counter, amount) values ('votes', new.total_votes);
  return null;
end $$;
create or replace function remove_votes_counter() returns trigger language plpgsql as $$
begin
  insert into counter_changes (counter, amount) values ('votes', -old.total_votes);
  return null;
end $$;
create or replace trigger votes_counted after insert on voting_candidates
  for each row when (new.total_votes <> 0) execute function add_votes_counter();
create or replace trigger votes_uncounted after delete on voting_candidates
  for each row when (old.total_votes <> 0) execute function remove_votes_counter();
create or replace trigger votes_changed after update on voting_candidates referencing old table as gone new table as came
  for each statement execute function change_votes_counter();

-- What was there before the triggers.
select recount_counters();
