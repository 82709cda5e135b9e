-- The back office finds orders by part of their number.
-- Step: expand; safe while the old server still runs: it is an index.
-- Mode: online
-- Undo: drop index payments_order_part.

-- If: exists (select 1 from pg_extension where extname = 'pg_trgm')
create index concurrently if not exists payments_order_part on payments using gin (order_id gin_trgm_ops);
