-- The public ledger of votes: leaves and hashes of a Merkle tree that only grows, what signs and witnesses said of it, and the
-- salts that hide members (ADR 0035).
-- Step: expand; safe while the old server still runs: it writes none of this.
-- Undo: drop these tables, on_round_certified and on_ledger_frozen.

create table ledger_log (
  single boolean primary key default true check (single),
  -- Name of the log and of its key; never changes, whatever PUBLIC_URL becomes.
  origin text not null,
  public_key bytea not null check (length(public_key) = 32),
  size bigint not null default 0 check (size >= 0),
  root bytea not null check (length(root) = 32),
  -- What is in storage, with the signed checkpoint over it.
  published_size bigint not null default 0 check (published_size <= size),
  checkpoint text,
  published_at timestamptz,
  -- Votes from before the ledger are entered first, in order of their ids.
  filled_to bigint not null default 0,
  fill_until bigint not null default 0,
  filled_at timestamptz,
  -- The next UTC day whose result is to be stated.
  next_day date not null,
  audit_entry bigint,
  audit_at timestamptz
);

create table ledger_leaves (
  seq bigint primary key,
  entry text not null,
  hash bytea not null,
  -- Leads from a vote to its leaves; emptied when the vote is gone.
  vote_id bigint
);
create index ledger_leaves_vote on ledger_leaves (vote_id, seq) where vote_id is not null;

-- Hashes of whole tiles: level 1 and above.
create table ledger_hashes (
  level integer not null check (level > 0),
  index bigint not null,
  hash bytea not null,
  primary key (level, index)
);

-- Who is behind a pseudonym of a round. Goes with the account.
create table ledger_salts (
  user_id uuid not null references users (id) on delete cascade,
  round integer not null,
  salt bytea not null,
  primary key (user_id, round)
);

-- What the ledger says of each candidate.
create table ledger_candidates (
  candidate_id uuid primary key,
  added_at timestamptz not null,
  listed boolean not null
);

create table ledger_results (
  of text primary key,
  seq bigint not null unique,
  statement text not null
);

-- The newest cosignature of each witness.
create table ledger_cosignatures (
  witness text primary key,
  size bigint not null,
  line text not null,
  signed_at timestamptz not null
);

-- Where in the queue of changes a round ended: everything up to there, and nothing after it, is in its result.
create table ledger_round_ends (
  round_id uuid primary key,
  last_change bigint not null,
  ended_at timestamptz not null default clock_timestamp(),
  stated_at timestamptz
);

-- Whoever writes the standings of a round holds the locks of its candidates, and every change of a vote takes its number
-- behind such a lock.
create function on_round_certified() returns trigger language plpgsql as $$
begin
  insert into ledger_round_ends (round_id, last_change)
  select distinct c.round_id, (select case when is_called then last_value else 0 end from vote_changes_id_seq)
  from certified c
  on conflict (round_id) do nothing;
  return null;
end $$;
create trigger round_certified after insert on round_standings referencing new table as certified
  for each statement execute function on_round_certified();

-- Leaves are never changed and never removed; only the way from a vote to its leaves may be forgotten.
create function on_ledger_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger only grows' using errcode = 'restrict_violation';
end $$;
create trigger ledger_leaves_frozen before delete on ledger_leaves for each row execute function on_ledger_frozen();
create trigger ledger_leaves_unchanged before update on ledger_leaves for each row
  when (old.seq is distinct from new.seq or old.entry is distinct from new.entry or old.hash is distinct from new.hash
    or new.vote_id is not null)
  execute function on_ledger_frozen();
create trigger ledger_leaves_kept before truncate on ledger_leaves execute function on_ledger_frozen();
create trigger ledger_hashes_frozen before update or delete on ledger_hashes for each row execute function on_ledger_frozen();
