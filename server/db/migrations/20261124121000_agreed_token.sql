-- The token that a payment is for, by a hash that the provider has as well: the signer makes no other one without an admin's signature.
-- Step: expand; safe while the old server still runs. Undo: drop the column.
alter table payments add column agreed text check (agreed ~ '^[A-Za-z0-9_-]{43}$');
