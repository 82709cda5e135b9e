-- The back office's list by votes read and sorted every candidate. The total itself is in no index, because then no vote would be a
-- heap-only update (ADR 0041); this column agrees with its order and changes with few votes: the total up to 64, from there 32 steps for
-- each factor of e. The order is by it and then by the total, so only candidates of one step are sorted.
-- The table stays small (scripts/check-migrations.ts), so that adding a computed column, which rewrites it, takes a fraction of a second.
-- Step: expand; safe while the old server still runs, which never writes or reads the column.
-- Mode: online
-- Undo: drop the column, and its index with it.

alter table voting_candidates add column if not exists votes_rank integer not null generated always as (
  case when total_votes <= 64 then total_votes else 64 + floor(32 * ln(total_votes / 64::float8))::integer end) stored;
create index concurrently if not exists voting_candidates_votes_rank on voting_candidates (votes_rank) where deleted_at is null;
