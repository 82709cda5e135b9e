-- Wallets that sign a member in, and sessions that such a signature alone opened.
-- Step: expand; safe while the old server still runs, which leaves both alone. One column without a rewrite: it has a constant default.
-- Undo: restore on_rights_changed() of 20261123015000, drop table linked_wallets and column sessions.by_wallet.

create table linked_wallets (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  -- One key has the same address on all chains of its family.
  family text not null check (family in ('evm', 'solana')),
  address text not null,
  linked_at timestamptz not null default now(),
  last_used_at timestamptz,
  constraint linked_wallets_form check
    (case family when 'evm' then address ~ '^0x[0-9a-fA-F]{40}$' else address ~ '^[1-9A-HJ-NP-Za-km-z]{32,44}$' end)
);
-- A wallet opens one account. The case of letters in an address of Ethereum and the like is a checksum only.
create unique index linked_wallets_once on linked_wallets (family, (case family when 'evm' then lower(address) else address end));
create index linked_wallets_user on linked_wallets (user_id, linked_at);

alter table sessions add column by_wallet boolean not null default false;

-- Whoever changes a role, and however: what the member's sessions proved before counts no more, and those that a wallet alone opened end:
-- staff needs another proof.
create or replace function on_rights_changed() returns trigger language plpgsql as $$
declare
  member uuid := (case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end ->> tg_argv[0])::uuid;
begin
  delete from sessions where user_id = member and by_wallet;
  update sessions set token_due = true, proved_at = 'epoch' where user_id = member;
  return null;
end $$;
