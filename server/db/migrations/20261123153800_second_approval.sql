-- A second admin's approval before a token is made: a setting asks for it always, or above an amount. What is approved is one confirmed
-- summary, and whoever orders the token has to be another admin.
-- Step: expand; safe while the old server still runs. Undo: drop what is added here.

create table token_approvals (
  id uuid primary key default gen_random_uuid(),
  proposal_id uuid not null references token_proposals (id) on delete restrict,
  -- Of the summary, once more: an approval is about exactly that.
  snapshot_hash bytea not null check (octet_length(snapshot_hash) = 32),
  -- Kept when the account is gone.
  approved_by uuid not null,
  approved_at timestamptz not null,
  constraint token_approvals_once unique (proposal_id, approved_by)
);

-- Only what its payer confirmed, by somebody who is an admin at that moment.
create function token_approval_begins() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from token_proposals p where p.id = new.proposal_id and p.state = 'confirmed'
      and p.snapshot_hash = new.snapshot_hash) then
    raise exception 'only what its payer confirmed is approved' using errcode = 'restrict_violation';
  end if;
  if not exists (select 1 from admin_profiles a where a.id = new.approved_by) then
    raise exception 'only an admin approves' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger token_approval_begins before insert on token_approvals
  for each row execute function token_approval_begins();

create function token_approval_is_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'an approval is kept as it is' using errcode = 'restrict_violation';
end $$;
create trigger token_approval_frozen before update or delete on token_approvals
  for each row execute function token_approval_is_frozen();
create trigger token_approvals_kept before truncate on token_approvals
  for each statement execute function token_approval_is_frozen();

-- What the token of a request costs its payer, in whole US dollars: the plan, or the dearest order.
create function token_request_usd(request uuid) returns integer language sql stable as $$
  select greatest((select plan_price_usd from token_creation_submissions where id = request),
    (select max(price_usd) from payments where submission_id = request), 0)
$$;

-- Whether the token of a request needs a second admin, by what is set at this moment. A setting without a row has its standard: no.
create function token_needs_approval(request uuid) returns boolean language sql stable as $$
  select coalesce((select value = 'true'::jsonb from settings where key = 'creationApproval'), false)
    or coalesce((select token_request_usd(request) > (value #>> '{}')::numeric from settings
      where key = 'creationApprovalAbove' and jsonb_typeof(value) = 'number'), false)
$$;

create function token_creation_is_approved() returns trigger language plpgsql as $$
begin
  -- What was ordered goes on; an account that is removed takes nothing back.
  if tg_op = 'UPDATE' and row(new.submission_id, new.proposal_id, new.snapshot_hash)
       is not distinct from row(old.submission_id, old.proposal_id, old.snapshot_hash)
     and (new.requested_by is null or new.requested_by is not distinct from old.requested_by) then
    return new;
  end if;
  if token_needs_approval(new.submission_id) and not exists (
    select 1 from token_approvals a where a.proposal_id = new.proposal_id and a.snapshot_hash = new.snapshot_hash
      and a.approved_by <> new.requested_by
  ) then
    raise exception 'another admin has to approve this token' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger token_creation_approved before insert or update on token_creations
  for each row execute function token_creation_is_approved();
