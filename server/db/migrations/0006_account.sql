-- Accounts: one-use tokens sent by mail, and the second factor.
-- Step: expand; safe while the old server still runs. Undo: drop what is added here.

-- Links and codes that prove a mailbox, and sign-ins that wait for their second step. Only hashes are kept; a token works once.
create table account_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('verify_email', 'change_email', 'reset_password', 'sign_in', 'second_factor')),
  token_hash bytea not null,
  -- The mailbox that the token proves; it counts only while it still is the account's (or the wished-for) one.
  email text not null check (email = lower(email)),
  -- For the mails that follow from it.
  locale text not null default 'es' check (locale in ('es', 'en')),
  -- Wrong tries at a short code.
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create unique index account_tokens_hash on account_tokens (token_hash) where purpose <> 'sign_in';
create index account_tokens_member on account_tokens (user_id, purpose);
create index account_tokens_expiry on account_tokens (expires_at);

-- Second factor by time-based codes (RFC 6238). The secret is encrypted with a key derived from the server's secret.
create table second_factors (
  user_id uuid primary key references users (id) on delete cascade,
  secret bytea not null,
  -- Null until the first code proved that the app was set up.
  confirmed_at timestamptz,
  -- Time step of the last code that was accepted: a code works once.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

create table recovery_codes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  constraint recovery_codes_once unique (user_id, code_hash)
);

-- When this session last proved password or second factor, for what asks for fresh proof.
alter table sessions add column proved_at timestamptz not null default now();
