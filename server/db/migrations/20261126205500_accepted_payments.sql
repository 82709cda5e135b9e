-- The list of token requests by the stage of a payment computes the stage only of requests whose payments do not tell it by their state
-- alone: those paid in part, accepted by the team, or sent back.
-- Step: expand; safe while the old server still runs: it is an index.
-- Mode: online
-- Undo: drop index payments_accepted.

create index concurrently if not exists payments_accepted on payments (submission_id)
  where jsonb_typeof(ledger -> 'accepted') = 'object';
