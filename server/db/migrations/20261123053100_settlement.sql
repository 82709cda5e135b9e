-- The daily comparison of the money ledger with the provider, and what differed.
-- Step: expand; safe while the old server still runs. Undo: drop table settlement_differences, settlement_runs, and make the
-- old check of inbox_owners again after the rows of settlement are gone.

create table settlement_runs (
  id uuid primary key default gen_random_uuid(),
  started_at timestamptz not null,
  finished_at timestamptz,
  -- whole: everything that the provider knows was read; not_allowed: the account may not list.
  state text not null default 'running' check (state in ('running', 'whole', 'cut', 'failed', 'not_allowed', 'no_provider')),
  deposits integer not null default 0,
  -- Deposits that the run itself brought to an order, or put with the money without one.
  found integer not null default 0,
  differences integer not null default 0,
  -- Null: the job of the day.
  asked_by uuid references users (id) on delete set null,
  constraint settlement_runs_state check ((state = 'running') = (finished_at is null))
);
create index settlement_runs_started on settlement_runs (started_at desc);
create index settlement_runs_asked_by on settlement_runs (asked_by) where asked_by is not null;

create table settlement_differences (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('missing_here', 'missing_there', 'amount', 'returned', 'outcome', 'over_returned',
    'totals')),
  -- The provider's number of a deposit, an order's number, or the month of a total.
  subject text not null check (length(subject) between 1 and 100),
  payment_id uuid references payments (id) on delete restrict,
  asset text not null default '',
  -- Decimals, with all digits; empty for nothing.
  ours text not null,
  theirs text not null,
  found_at timestamptz not null,
  seen_at timestamptz not null,
  -- A later run of everything did not find it any more.
  gone_at timestamptz,
  explained_at timestamptz,
  explained_by uuid references users (id) on delete set null,
  reason text check (reason is null or length(reason) between 1 and 500),
  version integer not null default 1,
  constraint settlement_differences_explained check ((explained_at is null) = (reason is null))
);
create unique index settlement_differences_open on settlement_differences (kind, subject, asset) where gone_at is null;
create index settlement_differences_found on settlement_differences (found_at desc, id);
create index settlement_differences_of_payment on settlement_differences (payment_id) where payment_id is not null;
create index settlement_differences_by on settlement_differences (explained_by) where explained_by is not null;

-- Without a look at every row: what the old check allowed, the new one allows too.
alter table inbox_owners drop constraint inbox_owners_source_check;
alter table inbox_owners add constraint inbox_owners_source_check
  check (source in ('payment', 'unplaced', 'request', 'creation', 'chain', 'submission', 'moderator', 'report', 'job',
    'deliverable', 'refund', 'vote_cluster', 'settlement'))
  not valid;
