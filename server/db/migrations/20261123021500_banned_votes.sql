-- What a vote was before the ban of its member voided it, so that it can be that again.
-- Step: expand; safe while the old server still runs. Undo: drop the columns.

alter table votes
  add column if not exists banned_state text,
  add column if not exists banned_reason text;
