-- Money at the payment provider whose order is not here: it was made after the backup that was restored, or never here. A
-- person places it on an order, or says where it was settled.
-- Step: expand; safe while the old server still runs. Undo: drop table unplaced_payments, and make the old check again.

create table unplaced_payments (
  -- The provider's number of the deposit.
  provider_payment_id text primary key,
  -- What the provider says of it, as it was last heard.
  deposit jsonb not null,
  order_id text,
  invoice_id text,
  simulation boolean not null,
  first_seen_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Null: it waits for a person.
  settled_at timestamptz,
  settled_by uuid references users (id) on delete set null,
  -- The order on which it was placed; null when it was settled elsewhere.
  payment_id uuid references payments (id) on delete restrict,
  reason text
);
create index unplaced_payments_open on unplaced_payments (first_seen_at) where settled_at is null;

-- Without a look at every row: what the old check allowed, the new one allows too.
alter table inbox_owners drop constraint inbox_owners_source_check;
alter table inbox_owners add constraint inbox_owners_source_check
  check (source in ('payment', 'unplaced', 'request', 'creation', 'chain', 'submission', 'moderator', 'report', 'job'))
  not valid;
