-- Money that the payment provider gives back by itself ends the open refund of the same money: why one was withdrawn.
-- Step: expand; safe while the old server still runs: it leaves the column empty, and an empty cause is the team's.
-- Undo: alter table refund_cases drop column withdrawn_cause.

alter table refund_cases add column withdrawn_cause text check (withdrawn_cause in ('team', 'returned'));
