-- Tokens that were made are read again each day, by the signer on their chain and by the site in its storage. Every reading is kept.
-- Step: expand; safe while the old server still runs. Undo: drop the table and its function, put the former check of inbox_owners.source back.

create table token_readings (
  id bigint generated always as identity primary key,
  creation_id uuid not null references token_creations (id) on delete restrict,
  -- What stands on the chain, or the files that it names.
  what text not null check (what in ('chain', 'files')),
  -- 'unanswered': nobody could say. That is no difference.
  outcome text not null check (outcome in ('same', 'different', 'unanswered')),
  -- Codes of what is not as it was made.
  differences text[] not null default '{}',
  -- Base units on the chain then: holders may burn theirs.
  supply text,
  -- Block or slot that was read.
  block text,
  -- More of it in English, for operators.
  detail text,
  read_at timestamptz not null,
  constraint token_readings_differ check ((outcome = 'different') = (cardinality(differences) > 0))
);
create index token_readings_newest on token_readings (creation_id, what, read_at desc);

create function token_reading_is_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'a reading is kept as it is' using errcode = 'restrict_violation';
end $$;
create trigger token_reading_frozen before update or delete on token_readings
  for each row execute function token_reading_is_frozen();
create trigger token_readings_kept before truncate on token_readings
  for each statement execute function token_reading_is_frozen();

alter table inbox_owners drop constraint if exists inbox_owners_source_check;
alter table inbox_owners add constraint inbox_owners_source_check
  check (source in ('payment', 'unplaced', 'request', 'creation', 'chain', 'submission', 'moderator', 'report', 'job',
    'deliverable', 'vote_cluster', 'refund', 'settlement', 'appeal', 'review', 'reading')) not valid;
