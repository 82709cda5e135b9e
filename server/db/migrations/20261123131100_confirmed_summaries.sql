-- Every token is made from a summary that its payer confirmed: the summary is a row that stays, a creation names it, and the hash is
-- computed here once more.

-- SHA-256 over the values by name, as snapshot.policy.ts writes them.
create function token_snapshot_hash(snapshot jsonb) returns bytea language sql immutable strict parallel safe as $$
  select sha256(convert_to('[' || coalesce(string_agg('[' || to_json(key)::text || ',' || to_json(value)::text || ']', ','
    order by key collate "C"), '') || ']', 'UTF8')) from jsonb_each_text(snapshot)
$$;

-- What was asked before this version lacks picture and metadata; nothing can be ordered from it, and the next question replaces it.
alter table token_proposals drop constraint token_proposals_fields_check;
alter table token_proposals add column metadata jsonb check (jsonb_typeof(metadata) = 'object');
alter table token_proposals add column reminded_at timestamptz;
alter table token_proposals add constraint token_proposals_hash check (snapshot_hash = token_snapshot_hash(snapshot)) not valid;
alter table token_proposals add constraint token_proposals_whole
  check (snapshot ->> 'version' = '1' or (metadata is not null and snapshot ->> 'metadata' ~ '^[0-9a-f]{64}$')) not valid;

create or replace function token_proposal_is_frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE'
     and (to_jsonb(new) - 'state' - 'answered_at' - 'proposed_by' - 'reminded_at')
       = (to_jsonb(old) - 'state' - 'answered_at' - 'proposed_by' - 'reminded_at')
     and (old.state = 'open' or (new.state = old.state and new.answered_at is not distinct from old.answered_at)) then
    return new;
  end if;
  raise exception 'a proposal stays as it was asked and answered' using errcode = 'restrict_violation';
end $$;

-- Asked first, answered later.
create function token_proposal_begins_open() returns trigger language plpgsql as $$
begin
  if new.state <> 'open' then
    raise exception 'a proposal begins without an answer' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger token_proposal_begins before insert on token_proposals
  for each row execute function token_proposal_begins_open();

-- Null for creations that were ordered before this version.
alter table token_creations add column proposal_id uuid;
alter table token_creations add constraint token_creations_proposal_id_fkey
  foreign key (proposal_id) references token_proposals (id) on delete restrict not valid;

-- What is ordered is what the payer of that request confirmed, byte by byte.
create function token_creation_is_confirmed() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and row(new.snapshot, new.snapshot_hash, new.metadata, new.proposal_id)
     is not distinct from row(old.snapshot, old.snapshot_hash, old.metadata, old.proposal_id) then
    return new;
  end if;
  if not exists (
    select 1 from token_proposals p where p.id = new.proposal_id and p.submission_id = new.submission_id
      and p.state = 'confirmed' and p.snapshot = new.snapshot and p.snapshot_hash = new.snapshot_hash
      and p.metadata = new.metadata and p.snapshot ->> 'network' = new.network
  ) then
    raise exception 'a token is made from what its payer confirmed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger token_creation_confirmed before insert or update on token_creations
  for each row execute function token_creation_is_confirmed();
