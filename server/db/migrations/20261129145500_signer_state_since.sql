-- The inbox showed a network with too little balance, or with its daily cap reached, since the signer's latest report, which is at most 15
-- seconds old: its deadline never came. The row keeps since when its state is the current one; a trigger sets it, so also for a signer of
-- the version before.
-- Step: expand; safe while the old server still runs: it neither reads nor writes the column.
-- Undo: drop the trigger, its function and the column.
alter table signer_workers add column if not exists state_since timestamptz not null default now();

create or replace function set_signer_state_since() returns trigger language plpgsql as $$
begin
  new.state_since := now();
  return new;
end $$;
create or replace trigger signer_state_since before update on signer_workers for each row
  when (new.state is distinct from old.state) execute function set_signer_state_since();
