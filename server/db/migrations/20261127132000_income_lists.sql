-- The list of payments is in the order of their dates, and income by week reads the newest part of the money ledger.
-- Step: expand; safe while the old server still runs: these are indexes.
-- Mode: online
-- Undo: drop index payments_by_date; drop index money_transactions_at.

create index concurrently if not exists payments_by_date on payments ((coalesce(confirmed_at, created_at)), id);
create index concurrently if not exists money_transactions_at on money_transactions (at);
