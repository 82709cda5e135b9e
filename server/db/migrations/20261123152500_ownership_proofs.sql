-- Who answers for a token proves it: by its domain name, its website or its wallet. A change of what the proof was about ends it
-- in the same transaction, whoever makes it and in whatever way.
-- Step: expand; safe while the old server still runs, which shows no mark.
-- Undo: drop tables ownership_proofs, wallet_challenges; drop functions end_proofs_of_changed() cascade, proof_is_kept().

create table ownership_proofs (
  id uuid primary key default gen_random_uuid(),
  project_id uuid references projects (id) on delete cascade,
  candidate_id uuid references voting_candidates (id) on delete cascade,
  next_project_id uuid references next_projects (id) on delete cascade,
  method text not null check (method in ('dns', 'file', 'wallet')),
  -- A host name, or the address of a wallet.
  subject text not null check (length(subject) between 1 and 253),
  -- What the TXT record or the file has to say; of a wallet the text that was signed, and its signature.
  token text not null,
  signature text,
  state text not null default 'pending' check (state in ('pending', 'valid', 'ended')),
  started_at timestamptz not null,
  started_by uuid references users (id) on delete set null,
  proven_at timestamptz,
  -- When it was looked at last, and when it is next; failures in a row.
  checked_at timestamptz,
  next_check_at timestamptz,
  failures smallint not null default 0 check (failures >= 0),
  expires_at timestamptz,
  ended_at timestamptz,
  ended_by uuid references users (id) on delete set null,
  end_reason text check (end_reason in ('changed', 'lapsed', 'expired', 'withdrawn', 'replaced', 'given_up')),
  -- When followers and the creator were told that it ended.
  notified_at timestamptz,
  constraint ownership_proofs_one_record check (num_nonnulls(project_id, candidate_id, next_project_id) = 1),
  constraint ownership_proofs_ended check ((state = 'ended') = (ended_at is not null and end_reason is not null)),
  constraint ownership_proofs_valid check (state <> 'valid' or num_nonnulls(proven_at, next_check_at, expires_at) = 3)
);
create unique index ownership_proofs_open on ownership_proofs
  (coalesce(project_id, candidate_id, next_project_id), method) where state <> 'ended';
create index ownership_proofs_project on ownership_proofs (project_id) where project_id is not null;
create index ownership_proofs_candidate on ownership_proofs (candidate_id) where candidate_id is not null;
create index ownership_proofs_next on ownership_proofs (next_project_id) where next_project_id is not null;
create index ownership_proofs_due on ownership_proofs (least(next_check_at, expires_at)) where state = 'valid';
create index ownership_proofs_unnotified on ownership_proofs (ended_at) where state = 'ended' and notified_at is null;
create index ownership_proofs_started_by on ownership_proofs (started_by) where started_by is not null;
create index ownership_proofs_ended_by on ownership_proofs (ended_by) where ended_by is not null;
create index ownership_proofs_newest on ownership_proofs (started_at desc, id);

-- What ended stays ended, and what a proof is about never changes.
create function proof_is_kept() returns trigger language plpgsql as $$
begin
  if (new.id, new.method, new.subject, new.token, new.started_at) is distinct from
      (old.id, old.method, old.subject, old.token, old.started_at)
    or (new.project_id, new.candidate_id, new.next_project_id) is distinct from
      (old.project_id, old.candidate_id, old.next_project_id)
    or (old.state <> 'pending' and new.state = 'pending')
    or (old.state = 'ended' and (new.state, new.proven_at, new.expires_at, new.ended_at, new.end_reason) is distinct from
      (old.state, old.proven_at, old.expires_at, old.ended_at, old.end_reason))
  then
    raise exception 'a proof of ownership is kept as it was' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger proof_is_kept before update on ownership_proofs for each row execute function proof_is_kept();

create function end_proofs_of_changed() returns trigger language plpgsql as $$
begin
  update ownership_proofs set state = 'ended', ended_at = clock_timestamp(), end_reason = 'changed'
  where state <> 'ended' and case tg_table_name
    when 'projects' then project_id = new.id
    when 'voting_candidates' then candidate_id = new.id
    else next_project_id = new.id end;
  return null;
end $$;
create trigger projects_changed_ends_proofs after update on projects for each row
  when ((old.token_name, old.token_symbol, old.token_slug, old.token_address, old.contract_address, old.network,
      old.website_url, old.telegram_url, old.twitter_url, old.discord_url)
    is distinct from (new.token_name, new.token_symbol, new.token_slug, new.token_address, new.contract_address, new.network,
      new.website_url, new.telegram_url, new.twitter_url, new.discord_url))
  execute function end_proofs_of_changed();
create trigger candidates_changed_ends_proofs after update on voting_candidates for each row
  when ((old.token_name, old.token_symbol, old.token_slug, old.contract_address, old.network,
      old.website_url, old.telegram_url, old.twitter_url, old.discord_url)
    is distinct from (new.token_name, new.token_symbol, new.token_slug, new.contract_address, new.network,
      new.website_url, new.telegram_url, new.twitter_url, new.discord_url))
  execute function end_proofs_of_changed();
create trigger next_projects_changed_ends_proofs after update on next_projects for each row
  when ((old.token_name, old.token_symbol, old.token_address, old.contract_address, old.network,
      old.website_url, old.telegram_url, old.twitter_url, old.discord_url)
    is distinct from (new.token_name, new.token_symbol, new.token_address, new.contract_address, new.network,
      new.website_url, new.telegram_url, new.twitter_url, new.discord_url))
  execute function end_proofs_of_changed();

-- Texts that wallets are asked to sign: each counts once, for one purpose, in one browser.
create table wallet_challenges (
  nonce text primary key check (length(nonce) between 16 and 64),
  purpose text not null check (purpose in ('token_proof', 'link', 'sign_in')),
  network text not null check (network in ('solana', 'ethereum', 'bnb', 'polygon')),
  address text not null check (length(address) between 32 and 64),
  message text not null,
  user_id uuid references users (id) on delete cascade,
  -- Of the browser's session, or of the cookie that it got for this.
  browser_hash bytea not null,
  project_id uuid references projects (id) on delete cascade,
  candidate_id uuid references voting_candidates (id) on delete cascade,
  next_project_id uuid references next_projects (id) on delete cascade,
  expires_at timestamptz not null,
  constraint wallet_challenges_record check
    (num_nonnulls(project_id, candidate_id, next_project_id) = case when purpose = 'token_proof' then 1 else 0 end),
  constraint wallet_challenges_member check ((user_id is null) = (purpose = 'sign_in'))
);
create index wallet_challenges_end on wallet_challenges (expires_at);
create index wallet_challenges_user on wallet_challenges (user_id) where user_id is not null;
create index wallet_challenges_project on wallet_challenges (project_id) where project_id is not null;
create index wallet_challenges_candidate on wallet_challenges (candidate_id) where candidate_id is not null;
create index wallet_challenges_next on wallet_challenges (next_project_id) where next_project_id is not null;
