-- A decision about a cluster is carried out 500 votes at a time, so that nobody who votes for their candidate waits for all of
-- them. While it is, the cluster says which: nobody decides otherwise meanwhile, and one that was cut short is gone on with.
-- Step: expand; safe while the old server still runs, which decides at once and leaves this empty. Undo: drop the column.

alter table vote_review_clusters add column deciding text;
