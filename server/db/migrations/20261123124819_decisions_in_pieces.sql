-- A decision about a cluster is carried out 500 votes at a time, so that nobody who votes for their candidate waits for all of
-- them. While it is, the cluster says which: nobody decides otherwise meanwhile, and one that was cut short is gone on with.
-- Step: expand; safe while the old server still runs, which decides at once and leaves this empty. Undo: drop the column.
-- Mode: online

alter table vote_review_clusters add column if not exists deciding text;
alter table vote_review_clusters drop constraint if exists vote_review_clusters_deciding;
alter table vote_review_clusters add constraint vote_review_clusters_deciding check (deciding in ('counted', 'void')) not valid;
alter table vote_review_clusters validate constraint vote_review_clusters_deciding;
