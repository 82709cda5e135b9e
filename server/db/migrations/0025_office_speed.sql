-- The last lists of the back office that took longer the more there was: members by names or from the oldest, texts of the
-- forum, reported ones, moderators, and the inbox. Counts and days of the dashboard read indexes alone.
-- Step: expand; safe while the old server still runs, which searches members and candidates without an index meanwhile.
-- Mode: online
-- Undo: make the indexes of 0003, 0014 and 0016 again; drop those of here, the triggers, the columns and the checks.

-- Folding a name takes longer than reading its row; and an index of folded names folds again with every vote.
-- A computed column would write the whole table anew; the empty default is only noted.
alter table forum_users add column if not exists search text not null default '';
create or replace function on_forum_user_named() returns trigger language plpgsql as $$
begin
  new.search := florka_fold(new.username);
  return new;
end $$;
create or replace trigger forum_user_named before insert or update of username on forum_users
  for each row execute function on_forum_user_named();
-- Each filled row would be folded once more for the old index, while whoever writes such a row waits for its batch.
drop index concurrently if exists forum_users_name_part;
-- Batch
update forum_users set search = florka_fold(username) where id in (
  select id from forum_users where search = '' and florka_fold(username) <> '' limit 2000 for update skip locked);
-- Batch
update forum_users set search = florka_fold(username) where id in (
  select id from forum_users where search = '' and florka_fold(username) <> '' limit 500);
-- If: exists (select 1 from pg_extension where extname = 'pg_trgm')
create index concurrently if not exists forum_users_part on forum_users using gin (search gin_trgm_ops);

-- A few hundred candidates at most.
alter table voting_candidates add column if not exists search text not null
  generated always as (florka_fold(token_name || ' ' || token_symbol || ' ' || token_slug)) stored;
-- If: not exists (select 1 from pg_indexes where indexname = 'voting_candidates_part' and indexdef like '%(search %')
drop index concurrently if exists voting_candidates_part;
-- If: exists (select 1 from pg_extension where extname = 'pg_trgm')
create index concurrently if not exists voting_candidates_part on voting_candidates using gin (search gin_trgm_ops);

-- Moderation searches in hidden texts too.
create index concurrently if not exists forum_posts_search_all on forum_posts using gin (search);
drop index concurrently if exists forum_posts_search;
alter index if exists forum_posts_search_all rename to forum_posts_search;
create index concurrently if not exists forum_comments_search_all on forum_comments using gin (search);
drop index concurrently if exists forum_comments_search;
alter index if exists forum_comments_search_all rename to forum_comments_search;

create index concurrently if not exists users_oldest on users (created_at, id);
create index concurrently if not exists forum_posts_shown on forum_posts (created_at desc, id) where not is_hidden;
create index concurrently if not exists payments_revenue on payments (confirmed_at) include (received_usd)
  where confirmed_at is not null and not simulation;

-- Reported texts are listed by their own age: a report knows it, so that a page of them reads no other texts.
alter table forum_reports add column if not exists text_created_at timestamptz;
create or replace function on_report() returns trigger language plpgsql as $$
begin
  new.text_created_at := coalesce(
    (select created_at from forum_posts where id = new.post_id),
    (select created_at from forum_comments where id = new.comment_id));
  return new;
end $$;
create or replace trigger report_made before insert on forum_reports for each row execute function on_report();
-- Batch
update forum_reports r set text_created_at = coalesce(
  (select p.created_at from forum_posts p where p.id = r.post_id),
  (select c.created_at from forum_comments c where c.id = r.comment_id), r.created_at)
  where r.id in (select id from forum_reports where text_created_at is null limit 2000);
-- If: not exists (select 1 from pg_constraint where conname = 'forum_reports_dated')
alter table forum_reports add constraint forum_reports_dated check (text_created_at is not null) not valid;
alter table forum_reports validate constraint forum_reports_dated;
alter table forum_reports alter column text_created_at set not null;
alter table forum_reports drop constraint if exists forum_reports_dated;

create index concurrently if not exists user_roles_asked on user_roles (requested_at, user_id)
  where requested_at is not null or moderator_request_status <> 'approved';
create index concurrently if not exists user_roles_asked_last on user_roles (requested_at desc nulls last, user_id)
  where requested_at is not null or moderator_request_status <> 'approved';

-- Who waits to be made a moderator waits since a moment; the inbox is in that order.
-- Batch
update user_roles r set requested_at = u.created_at from users u
  where u.id = r.user_id and r.user_id in (
    select user_id from user_roles where moderator_request_status = 'pending' and requested_at is null limit 2000);
-- If: not exists (select 1 from pg_constraint where conname = 'user_roles_pending_since')
alter table user_roles add constraint user_roles_pending_since
  check (moderator_request_status <> 'pending' or requested_at is not null) not valid;
-- Batch
update user_roles r set requested_at = u.created_at from users u
  where u.id = r.user_id and r.user_id in (
    select user_id from user_roles where moderator_request_status = 'pending' and requested_at is null limit 2000);
alter table user_roles validate constraint user_roles_pending_since;
