-- Lists of the back office that read every row to count those of a filter (requests of a network, candidates that are not active), or
-- folded the words of two thousand networks for one letter.
-- Step: expand; safe while the old server still runs, which searches networks without an index meanwhile.
-- Mode: online
-- Undo: drop the indexes and the column; make blockchain_networks_part as in 0024.

-- With the id: the list joins by it, so an index without it is not enough to count.
create index concurrently if not exists token_creation_submissions_by_network on token_creation_submissions (selected_network, id);
create index concurrently if not exists voting_candidates_by_activity on voting_candidates (is_active) where deleted_at is null;

-- The table stays small (scripts/check-migrations.ts), so that adding a computed column, which rewrites it, takes a fraction of a second.
alter table blockchain_networks add column if not exists search text not null generated always as (
  florka_fold(name || ' ' || symbol || ' ' || key)) stored;
-- If: exists (select 1 from pg_extension where extname = 'pg_trgm')
create index concurrently if not exists blockchain_networks_search on blockchain_networks using gin (search gin_trgm_ops);
drop index concurrently if exists blockchain_networks_part;
