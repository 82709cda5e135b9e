-- The money ledger: every change of money as one balanced transaction that is never changed.
-- Step: expand; safe while the old server still runs. What it writes meanwhile is entered by the job enter-money.
-- Undo: drop table money_totals, money_entries, money_transactions; drop function money_is_kept(), money_balances(),
-- money_adds_up(), money_totals_follow(); alter table payments, unplaced_payments drop column booked_at; alter table unplaced_payments drop column version.

create table money_transactions (
  id bigint primary key generated always as identity,
  -- What of its subject changed.
  kind text not null check (kind in ('expected', 'received', 'returned', 'settled', 'accepted_short', 'refunded')),
  -- The order's number, the provider's number of a deposit, or a refund's number.
  subject text not null check (length(subject) between 1 and 64),
  -- The first of a kind and subject is 1. The key keeps two at once from entering the same change twice.
  revision integer not null check (revision > 0),
  simulation boolean not null,
  payment_id uuid references payments (id) on delete restrict,
  -- As they were when the order first appeared here; empty of money without an order.
  plan text not null check (plan in ('', 'entry', 'basic', 'standard', 'complete')),
  network text not null check (length(network) <= 40),
  -- Numbers that others know it by: order, invoice, deposit, transactions on chains.
  facts jsonb not null,
  at timestamptz not null,
  made_at timestamptz not null default now(),
  constraint money_transactions_once unique (kind, subject, simulation, revision)
);
create index money_transactions_subject on money_transactions (subject, simulation);
create index money_transactions_of_payment on money_transactions (payment_id, id) where payment_id is not null;

create table money_entries (
  transaction_id bigint not null references money_transactions (id) on delete restrict,
  line smallint not null check (line > 0),
  account text not null check (account in ('sales', 'claim', 'received', 'short', 'refunded',
    'provider', 'orders', 'unplaced', 'elsewhere', 'team', 'exchange', 'balance', 'fees')),
  -- 'USD' in cents, or the provider's code of a coin in units of 10^-18.
  asset text not null check (asset = 'USD' or (asset = lower(asset) and length(asset) between 1 and 40)),
  -- Whole units; above zero into the account, below zero out of it.
  amount numeric not null check (amount <> 0 and amount = trunc(amount)),
  primary key (transaction_id, line),
  -- Prices are counted in dollars, and money in its coin.
  constraint money_entries_side check ((asset = 'USD') = (account in ('sales', 'claim', 'received', 'short', 'refunded')))
);

-- Follows from the entries, for the report by month.
create table money_totals (
  month date not null,
  simulation boolean not null,
  plan text not null,
  network text not null,
  account text not null,
  asset text not null,
  amount numeric not null,
  primary key (month, simulation, plan, network, account, asset)
);

create function money_is_kept() returns trigger language plpgsql as $$
begin
  raise exception 'the money ledger only grows';
end $$;
create trigger money_transactions_kept before update or delete on money_transactions
  for each row execute function money_is_kept();
create trigger money_entries_kept before update or delete on money_entries for each row execute function money_is_kept();
create trigger money_transactions_not_emptied before truncate on money_transactions
  for each statement execute function money_is_kept();
create trigger money_entries_not_emptied before truncate on money_entries
  for each statement execute function money_is_kept();

-- What one statement enters sums to zero, by transaction and asset: so does the whole.
create function money_balances() returns trigger language plpgsql as $$
begin
  if exists (select 1 from entered group by transaction_id, asset having sum(amount) <> 0) then
    raise exception 'a money transaction must balance' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger money_balances after insert on money_entries referencing new table as entered
  for each statement execute function money_balances();

-- At commit, when its transaction waits for nothing else any more: then one at a time adds to the totals, in one order.
create function money_adds_up() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('money_totals', 0));
  insert into money_totals as t (month, simulation, plan, network, account, asset, amount)
    select date_trunc('month', new.at at time zone 'UTC')::date, new.simulation, new.plan, new.network, e.account, e.asset,
      sum(e.amount)
    from money_entries e where e.transaction_id = new.id group by e.account, e.asset order by e.account, e.asset
  on conflict (month, simulation, plan, network, account, asset) do update set amount = t.amount + excluded.amount;
  return null;
end $$;
create constraint trigger money_adds_up after insert on money_transactions deferrable initially deferred
  for each row execute function money_adds_up();

create function money_totals_follow() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'totals follow from the money ledger';
  end if;
  return null;
end $$;
create trigger money_totals_follow before insert or update or delete on money_totals
  for each statement execute function money_totals_follow();

-- When all that is known of it was first entered; null: the job enter-money does it.
alter table payments add column booked_at timestamptz;
alter table unplaced_payments add column booked_at timestamptz;
-- Counts the changes: two people who settle it at once.
alter table unplaced_payments add column version integer not null default 1;
