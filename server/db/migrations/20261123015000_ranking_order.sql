-- The public ranking is read in the order of the winner: equal totals by the moment in which they were reached.
-- Step: expand; safe while the old server still runs, which then sorts a few hundred candidates itself.
-- Mode: online
-- Undo: make the index again as 0002 does.

create index concurrently if not exists voting_candidates_order
  on voting_candidates (total_votes desc, total_reached_at asc nulls first, created_at, id)
  where is_active and deleted_at is null;
drop index concurrently if exists voting_candidates_ranking;
