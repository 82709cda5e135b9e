-- The list of token requests is narrowed by the stage of a payment, and the inbox leaves part payments to another source.
-- Step: expand; safe while the old server still runs: it is an index.
-- Mode: online
-- Undo: drop index payments_state.

create index concurrently if not exists payments_state on payments (state, submission_id);
