-- The source of contracts of tokens that were made is handed to block explorers, and what they say of it is kept.
-- One that the explorer refused, or of which it says nothing for long, waits in the inbox.
-- Step: expand; safe while the old server still runs. Undo: drop the table; the former check, after the rows of 'source' are gone.

create table contract_sources (
  creation_id uuid primary key references token_creations (id) on delete restrict,
  -- 'waiting': to be handed in. 'submitted': the explorer looks at it. 'refused': it found that it does not fit, or nobody could
  -- tell often enough.
  state text not null default 'waiting' check (state in ('waiting', 'submitted', 'verified', 'refused')),
  -- The explorer's number of the submission.
  guid text,
  tries integer not null default 0,
  next_try_at timestamptz,
  -- What the explorer said last, in English, for operators.
  detail text,
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint contract_sources_verified check ((state = 'verified') = (verified_at is not null)),
  constraint contract_sources_submitted check (state <> 'submitted' or guid is not null),
  constraint contract_sources_due check ((state in ('waiting', 'submitted')) = (next_try_at is not null))
);
create index contract_sources_next on contract_sources (next_try_at) where next_try_at is not null;

-- Without a look at every row: what the old check allowed, the new one allows too.
alter table inbox_owners drop constraint if exists inbox_owners_source_check;
alter table inbox_owners add constraint inbox_owners_source_check
  check (source in ('payment', 'unplaced', 'request', 'creation', 'chain', 'submission', 'moderator', 'report', 'job',
    'deliverable', 'vote_cluster', 'refund', 'settlement', 'appeal', 'review', 'reading', 'source')) not valid;
