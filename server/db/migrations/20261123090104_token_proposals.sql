-- What the team would make otherwise than it was paid for, and what the payer says to it.
create table token_proposals (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null references token_creation_submissions (id) on delete restrict,
  snapshot jsonb not null,
  snapshot_hash bytea not null check (length(snapshot_hash) = 32),
  fields text[] not null check (cardinality(fields) > 0),
  state text not null default 'open' check (state in ('open', 'confirmed', 'declined', 'replaced')),
  proposed_by uuid references users (id) on delete set null,
  proposed_at timestamptz not null,
  answered_at timestamptz,
  check ((state in ('confirmed', 'declined')) = (answered_at is not null))
);
create index token_proposals_request on token_proposals (submission_id, proposed_at desc);
create unique index token_proposals_open on token_proposals (submission_id) where state = 'open';
create index token_proposals_by on token_proposals (proposed_by) where proposed_by is not null;

-- What was asked stays as it was asked, and an answer as it was given.
create function token_proposal_is_frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE'
     and (to_jsonb(new) - 'state' - 'answered_at' - 'proposed_by') = (to_jsonb(old) - 'state' - 'answered_at' - 'proposed_by')
     and (old.state = 'open' or (new.state = old.state and new.answered_at is not distinct from old.answered_at)) then
    return new;
  end if;
  raise exception 'a proposal stays as it was asked and answered' using errcode = 'restrict_violation';
end $$;
create trigger token_proposal_frozen before update or delete on token_proposals
  for each row execute function token_proposal_is_frozen();
create trigger token_proposals_kept before truncate on token_proposals
  for each statement execute function token_proposal_is_frozen();
