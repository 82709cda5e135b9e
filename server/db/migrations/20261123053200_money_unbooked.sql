-- Payments from before the money ledger, which the job enter-money enters in batches.
-- Mode: online
-- Step: expand; safe while the old server still runs. Undo: drop index payments_unbooked.
create index concurrently if not exists payments_unbooked on payments (created_at) where booked_at is null;
