-- The last lists of the back office that took longer the more there was: members by names or from the oldest, texts of the
-- forum, reported ones, moderators, and the inbox. Counts and days of the dashboard read indexes alone.
-- Step: expand; safe while the old server still runs, which searches members and candidates without an index meanwhile.
-- Undo: make the indexes of 0003, 0014 and 0016 again; drop those of here, the trigger, the columns and the check.

-- Folding a name takes longer than reading its row; and an index of folded names folds again with every vote.
alter table forum_users add column search text not null generated always as (florka_fold(username)) stored;
alter table voting_candidates add column search text not null
  generated always as (florka_fold(token_name || ' ' || token_symbol || ' ' || token_slug)) stored;
drop index if exists forum_users_name_part;
drop index if exists voting_candidates_part;
do $$ begin
  if exists (select 1 from pg_extension where extname = 'pg_trgm') then
    create index forum_users_part on forum_users using gin (search gin_trgm_ops);
    create index voting_candidates_part on voting_candidates using gin (search gin_trgm_ops);
  end if;
end $$;

-- Moderation searches in hidden texts too.
drop index forum_posts_search;
create index forum_posts_search on forum_posts using gin (search);
drop index forum_comments_search;
create index forum_comments_search on forum_comments using gin (search);

create index users_oldest on users (created_at, id);
create index forum_posts_shown on forum_posts (created_at desc, id) where not is_hidden;
create index payments_revenue on payments (confirmed_at) include (received_usd)
  where confirmed_at is not null and not simulation;

-- Reported texts are listed by their own age: a report knows it, so that a page of them reads no other texts.
alter table forum_reports add column text_created_at timestamptz;
create function on_report() returns trigger language plpgsql as $$
begin
  new.text_created_at := coalesce(
    (select created_at from forum_posts where id = new.post_id),
    (select created_at from forum_comments where id = new.comment_id));
  return new;
end $$;
create trigger report_made before insert on forum_reports for each row execute function on_report();
update forum_reports r set text_created_at = coalesce(
  (select p.created_at from forum_posts p where p.id = r.post_id),
  (select c.created_at from forum_comments c where c.id = r.comment_id));
alter table forum_reports alter column text_created_at set not null;

create index user_roles_asked on user_roles (requested_at, user_id)
  where requested_at is not null or moderator_request_status <> 'approved';
create index user_roles_asked_last on user_roles (requested_at desc nulls last, user_id)
  where requested_at is not null or moderator_request_status <> 'approved';

-- Who waits to be made a moderator waits since a moment; the inbox is in that order.
update user_roles r set requested_at = u.created_at from users u
  where u.id = r.user_id and r.moderator_request_status = 'pending' and r.requested_at is null;
alter table user_roles add constraint user_roles_pending_since
  check (moderator_request_status <> 'pending' or requested_at is not null);
