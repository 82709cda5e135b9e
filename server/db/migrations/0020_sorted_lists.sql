-- News and candidates sorted by their words: a page of the back office costs the same at any size.
-- Step: expand; safe while the old server still runs. Undo: drop the indexes.

create index voting_candidates_name on voting_candidates (lower(token_name)) where deleted_at is null;
create index voting_candidates_symbol on voting_candidates (token_symbol) where deleted_at is null;
create index news_title on news (lower(title), id) where deleted_at is null;
create index news_author on news (lower(author_name), id) where deleted_at is null;
