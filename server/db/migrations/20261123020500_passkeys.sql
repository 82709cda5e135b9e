-- Passkeys (WebAuthn): public keys of members, and challenges under way.
-- Step: expand; safe while the old server still runs. Undo: drop the tables.

create table passkeys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  credential_id text not null constraint passkeys_credential unique,
  public_key bytea not null,
  counter bigint not null default 0 check (counter >= 0),
  transports text[] not null default '{}',
  name text not null check (char_length(name) between 1 and 60),
  backed_up boolean not null default false,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id, created_at);

-- What a browser has to sign; each is taken once. Whose it is, is known unless somebody signs in by passkey alone.
create table passkey_challenges (
  challenge text primary key,
  purpose text not null check (purpose in ('add', 'prove', 'sign_in', 'second_step')),
  user_id uuid references users (id) on delete cascade check ((user_id is null) = (purpose = 'sign_in')),
  expires_at timestamptz not null
);
create index passkey_challenges_user on passkey_challenges (user_id);
create index passkey_challenges_end on passkey_challenges (expires_at);
