-- Settings that admins change while the site runs: their versions, and secrets, sealed, where the signer can not read them.
-- Step: expand; safe while the old server still runs. A constant default: PostgreSQL rewrites no row.
-- Undo: drop the table and the column; stored settings of the screen go back to the environment.

alter table settings add column version integer not null default 1;

create table setting_secrets (
  key text primary key,
  -- Nonce, authentication tag, and the value in AES-256-GCM under a key that follows from AUTH_SECRET.
  sealed bytea not null check (octet_length(sealed) between 29 and 4096),
  version integer not null default 1 check (version > 0),
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null
);
