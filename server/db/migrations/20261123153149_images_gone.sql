-- A picture that nobody may see any more is told to every process, which has caches in front forget it: when it is removed, and when
-- the post that shows it is hidden.
-- Step: expand; safe while the old server still runs, which does not listen. Undo: drop triggers and functions.

create function on_image_gone() returns trigger language plpgsql as $$
begin
  perform pg_notify('image_gone', old.name);
  return null;
end $$;
create trigger image_removed after update of deleted_at on media
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function on_image_gone();
create trigger image_deleted after delete on media
  for each row when (old.deleted_at is null) execute function on_image_gone();

create function on_post_hidden() returns trigger language plpgsql as $$
begin
  perform pg_notify('image_gone', substring(url from '^/media/([0-9a-f]{32})'))
  from forum_post_images where post_id = new.id and url ~ '^/media/[0-9a-f]{32}';
  return null;
end $$;
create trigger post_hidden after update of is_hidden on forum_posts
  for each row when (new.is_hidden and not old.is_hidden) execute function on_post_hidden();
