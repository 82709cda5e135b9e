-- Every minute the open deliverables are looked for whose money was sent back: among those of all refunds, most of which have ended.
-- Step: expand; safe while the old server still runs: it is an index.
-- Mode: online
-- Undo: drop index deliverables_open_of_payment.

create index concurrently if not exists deliverables_open_of_payment on deliverables (payment_id) where state = 'open';
