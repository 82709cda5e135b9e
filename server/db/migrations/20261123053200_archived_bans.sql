-- A vote that a ban voided keeps what it was, also while a reset has it put away.
-- Step: expand; safe while the old server still runs: what it archives has none of this, and comes back as it did.
-- Undo: drop the columns.

alter table archived_votes
  add column banned_state text,
  add column banned_reason text;
