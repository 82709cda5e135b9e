-- Money that an admin took for enough, signed with a key that the site does not have. The signature counts, not the row.
create table payment_acceptances (
  id uuid primary key default gen_random_uuid(),
  payment_id uuid not null references payments (id) on delete cascade,
  -- As it was signed, byte by byte.
  statement text not null check (length(statement) between 1 and 8000),
  -- Ed25519, base64.
  public_key text not null check (length(public_key) = 44),
  signature text not null check (length(signature) = 88),
  added_by uuid,
  added_at timestamptz not null,
  unique (payment_id, signature)
);
create function payment_acceptance_is_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'a signed acceptance is kept as it is' using errcode = 'restrict_violation';
end $$;
create trigger payment_acceptance_frozen before update on payment_acceptances
  for each row execute function payment_acceptance_is_frozen();

-- Which token a deposit has paid for, by the signer's own word: one deposit pays for one token.
create table creation_deposits (
  deposit_id text primary key,
  creation_id uuid not null references token_creations (id) on delete restrict
);
create index creation_deposits_creation on creation_deposits (creation_id);
create function creation_deposit_is_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'what a deposit has paid for stays so' using errcode = 'restrict_violation';
end $$;
create trigger creation_deposit_frozen before update or delete on creation_deposits
  for each row execute function creation_deposit_is_frozen();
create trigger creation_deposits_kept before truncate on creation_deposits
  for each statement execute function creation_deposit_is_frozen();
