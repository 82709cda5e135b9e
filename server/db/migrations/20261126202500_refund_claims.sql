-- Whoever of the team pays a refund claims it first: until then its address is not shown, and while it is claimed nobody else changes it.
-- Step: expand; a server of before shows the address without a claim, and its attempt to record such a payment is refused.
-- Mode: online
-- Undo: alter table refund_cases drop column claimed_by, drop column claimed_at, drop column claim_until, drop column halted_at,
-- drop column halted_left; and refund_is_kept() as in 20261123014500.

alter table refund_cases
  add column if not exists claimed_by uuid,
  -- Also set after it was sent: when the claim of that payment began.
  add column if not exists claimed_at timestamptz,
  add column if not exists claim_until timestamptz,
  -- The provider returned that money while the refund was claimed.
  add column if not exists halted_at timestamptz,
  -- What of the refund remains if it was not paid, in the smallest unit.
  add column if not exists halted_left numeric;

alter table refund_cases drop constraint if exists refund_cases_claimed_by_fkey;
alter table refund_cases add constraint refund_cases_claimed_by_fkey
  foreign key (claimed_by) references users (id) on delete set null not valid;
alter table refund_cases validate constraint refund_cases_claimed_by_fkey;
create index concurrently if not exists refund_cases_claimed_by on refund_cases (claimed_by) where claimed_by is not null;

alter table refund_cases drop constraint if exists refund_cases_claimed;
alter table refund_cases add constraint refund_cases_claimed check ((claimed_at is null) = (claim_until is null)
  and (claimed_by is null or claimed_at is not null)
  and (claimed_at is null or state in ('ready', 'sent', 'withdrawn'))) not valid;
alter table refund_cases validate constraint refund_cases_claimed;
alter table refund_cases drop constraint if exists refund_cases_halted;
alter table refund_cases add constraint refund_cases_halted check ((halted_at is null) = (halted_left is null)
  and (halted_at is null or (claimed_at is not null and halted_left >= 0 and halted_left < amount))) not valid;
alter table refund_cases validate constraint refund_cases_halted;

-- What was agreed stays, what was sent stays sent, and nothing is sent by the team that nobody had claimed before.
create or replace function refund_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE'
    or (new.number, new.submission_id, new.payment_id, new.asset, new.decimals, new.amount, new.created_at)
      <> (old.number, old.submission_id, old.payment_id, old.asset, old.decimals, old.amount, old.created_at)
    or (old.state in ('sent', 'withdrawn') and (new.state, coalesce(new.transaction, ''), coalesce(new.address, ''))
      <> (old.state, coalesce(old.transaction, ''), coalesce(old.address, '')))
  then
    raise exception 'a refund case is kept as it was agreed';
  end if;
  if old.claimed_at is null and old.state <> 'sent' and new.state = 'sent' and not new.by_provider then
    raise exception 'a refund is claimed before it is sent';
  end if;
  if old.claimed_at is not null and new.claimed_at is not null and coalesce(new.address, '') <> coalesce(old.address, '') then
    raise exception 'the address of a claimed refund stays';
  end if;
  if old.halted_at is not null and new.halted_at is null then
    raise exception 'a halted refund ends as sent or withdrawn';
  end if;
  return new;
end $$;
