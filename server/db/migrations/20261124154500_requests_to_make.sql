-- The inbox counts paid requests without a token, and reads nothing else of them: an index with what the count needs.
-- Step: expand; safe while the old server still runs: its questions use the new index.
-- Mode: online
-- Undo: make token_creation_submissions_paid of 0011 again, drop the new one.

create index concurrently if not exists token_creation_submissions_to_make on token_creation_submissions (updated_at)
  include (id, closed_at) where payment_status = 'completed';
drop index concurrently if exists token_creation_submissions_paid;
