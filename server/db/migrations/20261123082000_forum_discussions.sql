-- What a post is about: a category, a token, tags, pictures; quoted comments; and what texts said before they were edited.
-- Step: expand; safe while the old server still runs: what it writes has the usual category and nothing else of this.
-- Mode: online
-- Undo: drop what is added here.

alter table forum_posts add column if not exists category text not null default 'general';
-- If: not exists (select 1 from pg_constraint where conname = 'forum_posts_category')
alter table forum_posts add constraint forum_posts_category
  check (category in ('general', 'tokens', 'launches', 'help', 'ideas')) not valid;
alter table forum_posts validate constraint forum_posts_category;
create index concurrently if not exists forum_posts_category_newest on forum_posts (category, created_at desc, id);

-- The token that a post talks about. When it was written stands here too, so that a page of a token's posts is one index.
create table if not exists forum_post_tokens (
  post_id uuid primary key references forum_posts (id) on delete cascade,
  project_id uuid references projects (id) on delete cascade,
  candidate_id uuid references voting_candidates (id) on delete cascade,
  next_project_id uuid references next_projects (id) on delete cascade,
  created_at timestamptz not null,
  token_id uuid not null generated always as (coalesce(project_id, candidate_id, next_project_id)) stored,
  constraint forum_post_tokens_one check (num_nonnulls(project_id, candidate_id, next_project_id) = 1)
);
create index if not exists forum_post_tokens_newest on forum_post_tokens (token_id, created_at desc, post_id);
create index if not exists forum_post_tokens_project on forum_post_tokens (project_id) where project_id is not null;
create index if not exists forum_post_tokens_candidate on forum_post_tokens (candidate_id) where candidate_id is not null;
create index if not exists forum_post_tokens_next on forum_post_tokens (next_project_id) where next_project_id is not null;

create table if not exists forum_post_tags (
  post_id uuid not null references forum_posts (id) on delete cascade,
  tag text not null check (length(tag) between 2 and 24 and tag = lower(tag)),
  -- What tells tags apart: letters without their accents.
  normalized text not null generated always as (florka_fold(tag)) stored,
  created_at timestamptz not null,
  primary key (post_id, normalized)
);
create index if not exists forum_post_tags_newest on forum_post_tags (normalized, created_at desc, post_id);
create index if not exists forum_post_tags_recent on forum_post_tags (created_at desc);

create table if not exists forum_post_images (
  post_id uuid not null references forum_posts (id) on delete cascade,
  position integer not null check (position between 0 and 3),
  -- One image belongs to one post: taking it away there takes it away.
  url text not null unique check (url ~ '^/media/[0-9a-f]{32}\.webp$'),
  alt text not null default '' check (length(alt) <= 200),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  primary key (post_id, position)
);
alter table media drop constraint if exists media_bucket_check;
alter table media add constraint media_bucket_check
  check (bucket in ('token-images', 'project-images', 'voting-candidate-images', 'forum-images')) not valid;
alter table media validate constraint media_bucket_check;
-- An upload goes with the post that shows it, in whatever way that ends.
create or replace function forum_image_gone() returns trigger language plpgsql as $$
begin
  update media set deleted_at = now()
    where bucket = 'forum-images' and deleted_at is null and name = substr(old.url, 8, 32);
  return null;
end $$;
create or replace trigger forum_image_gone after delete on forum_post_images
  for each row execute function forum_image_gone();

-- The comment that a comment answers: one of the same post, written before. Its words are read when the quote is shown.
create table if not exists forum_quotes (
  comment_id uuid primary key references forum_comments (id) on delete cascade,
  quoted_id uuid not null references forum_comments (id) on delete cascade
);
create index if not exists forum_quotes_quoted on forum_quotes (quoted_id);
create or replace function forum_quote_in_its_post() returns trigger language plpgsql as $$
begin
  if not exists (
    select 1 from forum_comments c join forum_comments q on q.id = new.quoted_id
    where c.id = new.comment_id and c.post_id = q.post_id and c.id <> q.id
  ) then
    raise exception 'a comment quotes another comment of its post' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create or replace trigger forum_quote_in_its_post before insert or update on forum_quotes
  for each row execute function forum_quote_in_its_post();

-- What a post or comment said until it was edited; moderators read it.
create table if not exists forum_edits (
  id uuid primary key default gen_random_uuid(),
  post_id uuid references forum_posts (id) on delete cascade,
  comment_id uuid references forum_comments (id) on delete cascade,
  title text,
  content text not null,
  replaced_at timestamptz not null,
  constraint forum_edits_one check (num_nonnulls(post_id, comment_id) = 1),
  constraint forum_edits_title check ((title is null) = (post_id is null))
);
create index if not exists forum_edits_post on forum_edits (post_id, replaced_at desc) where post_id is not null;
create index if not exists forum_edits_comment on forum_edits (comment_id, replaced_at desc) where comment_id is not null;
