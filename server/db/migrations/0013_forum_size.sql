-- The forum at size: lists and search read as little of 100,000 posts as of 1,000.
-- Step: expand; safe while the old server still runs. Undo: drop what is added here, make the two dropped indexes again.

-- The lists show what authors deleted themselves as an empty place, so indexes of visible rows alone never served them.
create index forum_posts_list on forum_posts (created_at desc, id);
drop index forum_posts_newest;
create index forum_comments_list on forum_comments (post_id, created_at, id) where not is_hidden or deleted_by = user_id;
drop index forum_comments_thread;

-- A search finds posts by their comments too, newest post first. With the post's time beside the comment's words a common
-- word is found by walking from the newest post, and a rare one by its index; the planner knows which is which.
alter table forum_comments add column post_created_at timestamptz not null default now();
update forum_comments c set post_created_at = p.created_at from forum_posts p where p.id = c.post_id;
create index forum_comments_found on forum_comments (post_created_at desc, post_id) where not is_hidden;

create function on_comment_written() returns trigger language plpgsql as $$
begin
  select created_at into new.post_created_at from forum_posts where id = new.post_id;
  -- Without a post the reference refuses the row, with a better reason than an empty time.
  new.post_created_at := coalesce(new.post_created_at, new.created_at);
  return new;
end $$;
create trigger comment_written before insert on forum_comments for each row execute function on_comment_written();
