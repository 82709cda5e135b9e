-- A vote changes the total of its candidate, and a total that stands in an index makes it write every index of that row (ten of
-- them). The ranking and the back office sort some hundreds of candidates themselves.
-- Step: expand; safe while the old server still runs, which then sorts them too.
-- Mode: online
-- Undo: make the indexes again as 20261123015000_ranking_order and 0016 do.

-- Room for the next versions of a row beside it: only then no index is written.
alter table voting_candidates set (fillfactor = 50);
drop index concurrently if exists voting_candidates_order;
drop index concurrently if exists voting_candidates_votes;
