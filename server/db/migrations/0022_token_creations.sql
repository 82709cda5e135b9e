-- Tokens on the chain: what was ordered, every transaction that was signed for it, and what the signer can do now. The rules
-- that keep a request from getting two tokens are here, so that they hold whatever a program does.
-- Step: expand; safe while the old server still runs. Undo: drop what is added here, and put the former check of
-- inbox_owners.source back.

create table token_creations (
  id uuid primary key default gen_random_uuid(),
  -- One request, one token.
  submission_id uuid not null unique references token_creation_submissions (id) on delete restrict,
  network text not null check (network in ('solana', 'ethereum', 'binance', 'polygon')),
  -- What the token will be, all of it text; the hash is over its keys in order (see snapshot.policy.ts).
  snapshot jsonb not null check (jsonb_typeof(snapshot) = 'object'),
  snapshot_hash bytea not null check (octet_length(snapshot_hash) = 32),
  -- Paid for in the simulation: only a chain without real money may make it.
  simulation boolean not null,
  -- What wallets read at its public address: name, symbol, description, image.
  metadata jsonb not null check (jsonb_typeof(metadata) = 'object'),
  state text not null default 'queued' check (state in ('queued', 'working', 'held', 'completed', 'failed')),
  -- What happens at the moment, for people.
  stage text not null default 'queued' check (stage in ('queued', 'checking', 'signed', 'sent', 'confirming', 'reading',
    'completed', 'stopped')),
  -- What the chain's adapter derived from the snapshot, and on which chain.
  plan jsonb,
  chain_id text,
  -- Set when it is completed, and not before.
  address text,
  address_page text,
  transaction text,
  transaction_page text,
  facts jsonb,
  -- Why it does not go on, or not now; the detail is English, for operators.
  problem text,
  detail text,
  tries integer not null default 0,
  -- Null: nobody looks at it until a person says so.
  next_try_at timestamptz,
  requested_by uuid references users (id) on delete set null,
  ordered_at timestamptz not null,
  -- When the time began after which a person is asked to look: the order, or the last time that one said to go on.
  begun_at timestamptz not null,
  completed_at timestamptz,
  -- The customer was told.
  told_at timestamptz,
  updated_at timestamptz not null,
  constraint token_creations_completed check (
    (state = 'completed') = (address is not null)
    and (state <> 'completed' or num_nulls(plan, chain_id, transaction, facts, completed_at) = 0)
  )
);
create unique index token_creations_address on token_creations (chain_id, address) where address is not null;
create index token_creations_due on token_creations (network, next_try_at) where next_try_at is not null;
create index token_creations_open on token_creations (network) where state <> 'completed';
create index token_creations_untold on token_creations (completed_at) where state = 'completed' and told_at is null;

-- Which creation a number of a key's account belongs to, for ever: two tokens never share one.
create table creation_nonces (
  chain_id text not null,
  signer text not null,
  nonce bigint not null check (nonce >= 0),
  creation_id uuid not null references token_creations (id) on delete restrict,
  primary key (chain_id, signer, nonce),
  constraint creation_nonces_owner unique (chain_id, signer, nonce, creation_id)
);

-- Every transaction that was signed, stored before it was sent. Whoever signs without knowing the newest one clashes here.
create table creation_attempts (
  creation_id uuid not null references token_creations (id) on delete restrict,
  number integer not null check (number between 1 and 100),
  chain_id text not null,
  -- The deployer's public address.
  signer text not null,
  nonce bigint,
  -- Its name on the chain.
  transaction text not null unique,
  page text,
  signed bytea not null check (octet_length(signed) > 0),
  valid_until bigint,
  signed_at timestamptz not null,
  sent_at timestamptz,
  outcome text check (outcome in ('landed', 'lost', 'refused')),
  primary key (creation_id, number),
  constraint creation_attempts_nonce foreign key (chain_id, signer, nonce, creation_id)
    references creation_nonces (chain_id, signer, nonce, creation_id) on delete restrict
);
create index creation_attempts_day on creation_attempts (signed_at) where number = 1;

-- What the signer can do on each network, written by it every few seconds. No fresh row: nobody can make tokens there.
create table chain_lanes (
  network text primary key check (network in ('solana', 'ethereum', 'binance', 'polygon')),
  state text not null check (state in ('ready', 'unreachable', 'wrong_chain', 'unsupported', 'low_balance', 'cap_reached')),
  detail text,
  -- As the chain last said.
  chain_id text,
  production boolean,
  deployer text,
  balance text,
  coin text,
  cost text,
  enough_for integer,
  -- Tokens a UTC day; how many were signed in the one that runs.
  daily_cap integer not null,
  used_today integer not null,
  used_on date not null,
  started_at timestamptz not null,
  -- The database's clock, because machines differ.
  seen_at timestamptz not null default now()
);

-- As soon as something is signed, what it is stays as it is; what is completed stays for ever.
create function token_creation_is_frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state = 'completed' or exists (select 1 from creation_attempts where creation_id = old.id) then
      raise exception 'a token creation with signed transactions stays' using errcode = 'restrict_violation';
    end if;
    return old;
  end if;
  if new.id <> old.id or new.submission_id <> old.submission_id then
    raise exception 'a token creation belongs to one request' using errcode = 'restrict_violation';
  end if;
  if old.state = 'completed' and (to_jsonb(new) - 'told_at' - 'requested_by') <> (to_jsonb(old) - 'told_at' - 'requested_by') then
    raise exception 'a completed token creation stays as it is' using errcode = 'restrict_violation';
  end if;
  if row(new.network, new.snapshot, new.snapshot_hash, new.simulation, new.plan, new.chain_id)
     is distinct from row(old.network, old.snapshot, old.snapshot_hash, old.simulation, old.plan, old.chain_id)
     and exists (select 1 from creation_attempts where creation_id = old.id) then
    raise exception 'what is signed stays as it was ordered' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger token_creation_frozen before update or delete on token_creations
  for each row execute function token_creation_is_frozen();

-- Of a signed transaction only its fate is written later, once each.
create function creation_attempt_is_frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE'
     and (to_jsonb(new) - 'sent_at' - 'outcome') = (to_jsonb(old) - 'sent_at' - 'outcome')
     and (old.sent_at is null or new.sent_at = old.sent_at) and (old.outcome is null or new.outcome = old.outcome) then
    return new;
  end if;
  raise exception '% are kept as they are', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger creation_attempt_frozen before update or delete on creation_attempts
  for each row execute function creation_attempt_is_frozen();
create trigger creation_attempts_kept before truncate on creation_attempts
  for each statement execute function creation_attempt_is_frozen();
create trigger token_creations_kept before truncate on token_creations
  for each statement execute function creation_attempt_is_frozen();

create function creation_nonce_is_frozen() returns trigger language plpgsql as $$
begin
  raise exception '% are kept as they are', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger creation_nonce_frozen before update or delete on creation_nonces
  for each row execute function creation_nonce_is_frozen();
create trigger creation_nonces_kept before truncate on creation_nonces
  for each statement execute function creation_nonce_is_frozen();

-- Creations that stopped, and networks that need an operator, are work as well.
alter table inbox_owners drop constraint inbox_owners_source_check;
alter table inbox_owners add constraint inbox_owners_source_check
  check (source in ('payment', 'request', 'creation', 'chain', 'submission', 'moderator', 'report', 'job'));
