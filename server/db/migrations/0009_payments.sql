-- Payments of token requests: one row per order that was handed to the payment provider, and everything heard about it.
-- Step: expand; safe while the old server still runs. Undo: drop what is added here.

create table payments (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null references token_creation_submissions (id) on delete restrict,
  -- Our number for people, the same at every try: any deposit with it belongs to this row.
  order_id text not null unique check (order_id ~ '^FL-[0-9A-Z]{10}$'),
  plan text not null check (plan in ('entry', 'basic', 'standard', 'complete')),
  -- Whole US dollars, from the server's price table when the order was made; never changed.
  price_usd integer not null check (price_usd > 0),
  locale text not null check (locale in ('es', 'en')),
  -- Of the built-in simulation: no money.
  simulation boolean not null,
  -- The order that counts for its request now; older ones are still watched.
  is_current boolean not null default true,
  -- Null until the provider's answer is saved; a second try uses the same order_id.
  invoice_id text,
  payment_url text,
  -- Whoever asks the provider for an invoice holds the row until then.
  creating_until timestamptz,
  -- What is known: the deposits by the provider's id, and acts of people. Everything below up to `attention` follows from it.
  ledger jsonb not null,
  state text not null default 'awaiting' check (state in ('awaiting', 'confirming', 'partially_paid', 'paid', 'overpaid',
    'paid_late', 'expired', 'failed', 'refunded', 'under_review')),
  provider_payment_id text,
  provider_status text,
  pay_address text,
  pay_amount numeric,
  pay_currency text,
  actually_paid numeric,
  received_usd numeric not null default 0,
  -- Reasons for an operator to look at it.
  attention text[] not null default '{}',
  -- Set once each: the first confirmation, and the mails that went out for it.
  confirmed_at timestamptz,
  receipt_at timestamptz,
  short_notice_at timestamptz,
  -- Until when it may be paid.
  expires_at timestamptz not null,
  -- When the provider was last asked, and last answered.
  tried_at timestamptz,
  asked_at timestamptz,
  -- Null: nobody needs to ask any more.
  next_check_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index payments_one_current on payments (submission_id) where is_current;
create index payments_of_request on payments (submission_id, created_at desc);
create index payments_to_check on payments (next_check_at) where next_check_at is not null;
create index payments_invoice on payments (invoice_id);
create index payments_attention on payments (updated_at desc) where attention <> '{}';

-- Everything heard about payments, in order: signed callbacks, answers of the provider, acts, changes of state.
create table payment_events (
  id bigint generated always as identity primary key,
  -- Null: of a payment that we can't place (yet).
  payment_id uuid references payments (id) on delete restrict,
  kind text not null check (kind in ('webhook', 'seen', 'act', 'state')),
  provider_payment_id text,
  -- Of a repeated or wrong deposit: the payment it came after.
  parent_provider_payment_id text,
  -- SHA-256 of a callback as it came: the same one counts once.
  body_hash bytea unique check (octet_length(body_hash) = 32),
  body jsonb not null,
  created_at timestamptz not null default now()
);
create index payment_events_payment on payment_events (payment_id, id);
create index payment_events_lost on payment_events (parent_provider_payment_id) where payment_id is null;

alter table project_submissions add column reference text unique check (reference ~ '^PR-[0-9A-Z]{10}$');
