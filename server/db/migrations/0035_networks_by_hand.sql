-- Networks on which the team delivers by hand, with the days it promises; each payment keeps the days that its payer was told.
-- Step: expand; safe while the old server still runs. Undo: drop both columns.

-- Null: tokens are made there by the signer only.
alter table blockchain_networks add column manual_days smallint check (manual_days between 1 and 90);

-- Null: the signer was to make the token.
alter table payments add column manual_days smallint;
