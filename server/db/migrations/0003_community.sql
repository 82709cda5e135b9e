-- Community: counters and search of the forum, search of the news, notices for saved tokens.
-- Step: expand; safe while the old server still runs. Undo: drop what is added here.

-- Lower case without accents, ñ kept: 'Acción, ÑANDÚ' -> 'accion, ñandu'. The same on both sides of every search.
create function florka_fold(input text) returns text language sql immutable parallel safe strict as $$
  select translate(lower(normalize(input, NFC)), 'áàâäãåéèêëíìîïóòôöõúùûüýÿç', 'aaaaaaeeeeiiiiooooouuuuyyc')
$$;

alter table forum_posts
  add column comment_count integer not null default 0 check (comment_count >= 0),
  add column search tsvector generated always as
    (setweight(to_tsvector('spanish'::regconfig, florka_fold(title)), 'A')
     || to_tsvector('spanish'::regconfig, florka_fold(content))) stored;
create index forum_posts_search on forum_posts using gin (search) where not is_hidden;

alter table forum_comments
  add column search tsvector generated always as (to_tsvector('spanish'::regconfig, florka_fold(content))) stored;
create index forum_comments_search on forum_comments using gin (search) where not is_hidden;

-- Reactions per post and emoji, written with the reactions: reads never count them.
create table post_reaction_counts (
  post_id uuid not null references forum_posts (id) on delete cascade,
  emoji_type text not null check (emoji_type in ('like', 'love', 'laugh', 'wow', 'sad', 'angry')),
  reactions integer not null check (reactions >= 0),
  primary key (post_id, emoji_type)
);

-- What a member wants to hear by mail about a saved token.
alter table saved_tokens add column notify boolean not null default false;
create index saved_tokens_project on saved_tokens (project_id) where notify and project_id is not null;
create index saved_tokens_candidate on saved_tokens (candidate_id) where notify and candidate_id is not null;
create index saved_tokens_next on saved_tokens (next_project_id) where notify and next_project_id is not null;
