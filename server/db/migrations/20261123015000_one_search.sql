-- One search over everything public: words with one wrong letter, whole names and tickers, and what somebody wrote last.
-- Step: expand; safe while the old server still runs.
-- Mode: online
-- Undo: drop the indexes and the function.

-- The words of a folded text, and each word of at least four letters with one letter left out. Two words that differ in
-- one letter (wrong, missing, one too many, or two swapped) have one of these in common, so an index of arrays finds them.
create or replace function florka_one_off(folded text) returns text[] language sql immutable parallel safe strict as $$
  select coalesce(array_agg(distinct variant), '{}')
  from regexp_split_to_table(left(folded, 200), '[\s!-/:-@\[-`{-~]+') as word,
    lateral (
      select word as variant
      union all
      select left(word, i - 1) || substr(word, i + 1) from generate_series(1, length(word)) i where length(word) >= 4
    ) variants
  where word <> ''
$$;

-- Not on voting_candidates: a vote writes every index of its candidate, and a few hundred rows are read as fast.
create index concurrently if not exists projects_one_off on projects
  using gin (florka_one_off(florka_fold(token_name || ' ' || token_symbol)));
create index concurrently if not exists next_projects_one_off on next_projects
  using gin (florka_one_off(florka_fold(token_name || ' ' || token_symbol)));
create index concurrently if not exists projects_folded_name on projects (florka_fold(token_name));
create index concurrently if not exists projects_folded_symbol on projects (florka_fold(token_symbol));
create index concurrently if not exists next_projects_folded_name on next_projects (florka_fold(token_name));
create index concurrently if not exists next_projects_folded_symbol on next_projects (florka_fold(token_symbol));

create index concurrently if not exists forum_posts_of_author on forum_posts (forum_user_id, created_at desc)
  where not is_hidden;
create index concurrently if not exists forum_comments_of_author on forum_comments (user_id, created_at desc)
  where not is_hidden;
