-- What plans promise, as tasks with evidence; and money that goes back, as cases with states.
-- Step: expand; safe while the old server still runs. Undo: drop table deliverables, refund_cases, deliverable_terms; drop function
-- deliverable_terms_are_kept(), refund_is_kept(); and make the old check of inbox_owners again.

-- What the team says about each line of a plan: by when, what happens if it is not delivered, and whether it can be now. Every
-- version is kept: a payer's task names the one that stood when they paid. A line without a row has the built-in terms.
create table deliverable_terms (
  item text not null check (length(item) between 1 and 40),
  version integer not null check (version > 0),
  due_from text not null check (due_from in ('payment', 'token')),
  due_days smallint not null check (due_days between 1 and 365),
  if_not_es text not null check (length(if_not_es) between 1 and 1000),
  if_not_en text not null check (length(if_not_en) between 1 and 1000),
  -- False: nobody can deliver it now, so the plans with it are not sold.
  offered boolean not null,
  created_at timestamptz not null default now(),
  created_by uuid references users (id) on delete set null,
  primary key (item, version)
);
create index deliverable_terms_by on deliverable_terms (created_by) where created_by is not null;

create function deliverable_terms_are_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.created_by is null
    and (new.item, new.version, new.due_from, new.due_days, new.if_not_es, new.if_not_en, new.offered, new.created_at)
      = (old.item, old.version, old.due_from, old.due_days, old.if_not_es, old.if_not_en, old.offered, old.created_at)
  then
    return new;
  end if;
  raise exception 'terms of deliverables are kept as they were saved';
end $$;
create trigger deliverable_terms_are_kept before update or delete on deliverable_terms
  for each row execute function deliverable_terms_are_kept();

create table refund_cases (
  id uuid primary key default gen_random_uuid(),
  number text not null unique,
  submission_id uuid not null references token_creation_submissions (id) on delete restrict,
  payment_id uuid not null references payments (id) on delete restrict,
  cause text not null check (cause in ('payment', 'deliverable', 'cancelled', 'network')),
  -- What the payer reads.
  reason text not null check (length(reason) between 1 and 500),
  -- The provider's code of the coin, and how many digits its smallest unit stands behind the point.
  asset text not null,
  decimals smallint not null check (decimals between 0 and 30),
  -- In the smallest unit.
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  state text not null default 'address_needed'
    check (state in ('address_needed', 'address_unconfirmed', 'ready', 'sent', 'withdrawn')),
  address text,
  address_at timestamptz,
  -- Of the code that was mailed; null once it was used or replaced.
  code_hash bytea,
  code_until timestamptz,
  code_tries smallint not null default 0,
  confirmed_at timestamptz,
  -- Null where the provider sent it and names none.
  transaction text,
  by_provider boolean not null default false,
  sent_at timestamptz,
  sent_by uuid references users (id) on delete set null,
  withdrawn_at timestamptz,
  withdrawn_reason text,
  opened_by uuid references users (id) on delete set null,
  simulation boolean not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint refund_cases_address check ((address is null) = (address_at is null)
    and (state = 'address_needed') <= (address is null) and (state in ('address_unconfirmed', 'ready')) <= (address is not null)),
  constraint refund_cases_confirmed check ((state = 'ready') <= (confirmed_at is not null)),
  constraint refund_cases_sent check ((state = 'sent') = (sent_at is not null)
    and (state = 'sent') <= (by_provider or (transaction is not null and confirmed_at is not null))),
  constraint refund_cases_withdrawn check ((state = 'withdrawn') = (withdrawn_at is not null)
    and (withdrawn_at is null) = (withdrawn_reason is null))
);
create index refund_cases_of_request on refund_cases (submission_id);
create index refund_cases_of_payment on refund_cases (payment_id);
create index refund_cases_state on refund_cases (state, updated_at);
create index refund_cases_sent_by on refund_cases (sent_by) where sent_by is not null;
create index refund_cases_opened_by on refund_cases (opened_by) where opened_by is not null;
-- One transaction pays one case back.
create unique index refund_cases_transaction on refund_cases (transaction) where transaction is not null;

-- What was agreed stays, and what was sent stays sent.
create function refund_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE'
    or (new.number, new.submission_id, new.payment_id, new.asset, new.decimals, new.amount, new.created_at)
      <> (old.number, old.submission_id, old.payment_id, old.asset, old.decimals, old.amount, old.created_at)
    or (old.state in ('sent', 'withdrawn') and (new.state, coalesce(new.transaction, ''), coalesce(new.address, ''))
      <> (old.state, coalesce(old.transaction, ''), coalesce(old.address, '')))
  then
    raise exception 'a refund case is kept as it was agreed';
  end if;
  return new;
end $$;
create trigger refund_is_kept before update or delete on refund_cases for each row execute function refund_is_kept();

create table deliverables (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null references token_creation_submissions (id) on delete restrict,
  payment_id uuid not null references payments (id) on delete restrict,
  -- In the order of the plan.
  position smallint not null,
  item text not null,
  -- The line of the plan that stands for several items, such as 'everythingInBasic'; null for a line of its own.
  line text,
  -- The terms as they stood at payment.
  terms_version integer not null,
  due_from text not null check (due_from in ('payment', 'token')),
  due_days smallint not null check (due_days > 0),
  if_not_es text not null,
  if_not_en text not null,
  -- Null while it counts from a token that is not there yet.
  due_at timestamptz,
  owner_id uuid references users (id) on delete set null,
  state text not null default 'open' check (state in ('open', 'delivered', 'withdrawn')),
  evidence_kind text check (evidence_kind in ('creation', 'statement', 'url', 'transaction', 'file')),
  evidence text,
  -- What the team says beside it.
  note text,
  done_at timestamptz,
  done_by uuid references users (id) on delete set null,
  withdrawn_at timestamptz,
  withdrawn_by uuid references users (id) on delete set null,
  -- Who withdrew it: a person, the closing of the request, or money that went back.
  withdrawn_cause text check (withdrawn_cause in ('team', 'closed', 'refunded')),
  withdrawn_reason text,
  refund_id uuid references refund_cases (id) on delete restrict,
  late_notice_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint deliverables_once unique (submission_id, item),
  constraint deliverables_done check ((state = 'delivered') = (done_at is not null)
    and (done_at is null) = (evidence is null) and (done_at is null) = (evidence_kind is null)),
  constraint deliverables_withdrawn check ((state = 'withdrawn') = (withdrawn_at is not null)
    and (withdrawn_at is null) = (withdrawn_cause is null))
);
create index deliverables_due on deliverables (due_at) where state = 'open';
create index deliverables_of_payment on deliverables (payment_id);
create index deliverables_refund on deliverables (refund_id) where refund_id is not null;
create index deliverables_owner on deliverables (owner_id) where owner_id is not null;
create index deliverables_done_by on deliverables (done_by) where done_by is not null;
create index deliverables_withdrawn_by on deliverables (withdrawn_by) where withdrawn_by is not null;
-- The same address or transaction proves one deliverable; a token's creation proves what was said of the token.
create unique index deliverables_evidence on deliverables (evidence_kind, evidence)
  where evidence_kind in ('url', 'transaction', 'file');

-- Without a look at every row: what the old check allowed, the new one allows too.
alter table inbox_owners drop constraint inbox_owners_source_check;
alter table inbox_owners add constraint inbox_owners_source_check
  check (source in ('payment', 'unplaced', 'request', 'creation', 'chain', 'submission', 'moderator', 'report', 'job',
    'deliverable', 'refund'))
  not valid;
