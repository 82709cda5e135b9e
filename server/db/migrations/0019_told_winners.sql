-- Whether the followers of the candidate that won a round were told that it is among the next launches now.
-- Step: expand; safe while the old server still runs. Undo: drop the column.

alter table next_projects add column told_promoted boolean not null default false;
-- Nobody is told of what happened before there were notices.
update next_projects set told_promoted = true where voting_round_id is not null;
