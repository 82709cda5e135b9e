-- Every vote has a state, and every change of it leaves a row for whoever writes the public ledger. Rounds keep their final
-- standings.
-- Step: expand; safe while the old server still runs: what it casts is counted, but leaves no row in vote_changes.
-- Mode: online
-- Undo: drop what is added here.

alter table votes
  add column if not exists state text not null default 'counted',
  -- Null when it is counted by itself; else a signal's name, 'member_banned', 'moderator' and so on.
  add column if not exists state_reason text,
  -- Networks of the voter, nearest first, each hashed with the key of the round.
  add column if not exists networks bytea[],
  -- No reference: it would lock the row of the round for each vote. Null for votes from before this column.
  add column if not exists round_id uuid;
-- If: not exists (select 1 from pg_constraint where conname = 'votes_state')
alter table votes add constraint votes_state check (state in ('counted', 'under_review', 'void')) not valid;
alter table votes validate constraint votes_state;

-- The moment in which a candidate reached its total is that of its newest counted vote.
create index concurrently if not exists votes_newest on votes (candidate_id, created_at) where state = 'counted';

alter table voting_candidates
  add column if not exists votes_under_review integer not null default 0,
  add column if not exists votes_void integer not null default 0;
-- If: not exists (select 1 from pg_constraint where conname = 'voting_candidates_uncounted')
alter table voting_candidates add constraint voting_candidates_uncounted check (votes_under_review >= 0 and votes_void >= 0);

-- With this key the networks of votes are hashed; made with the round.
alter table voting_rounds
  add column if not exists network_key bytea default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
  add column if not exists certified_at timestamptz,
  add column if not exists closed_early_reason text;

-- What the candidates had when a round ended; never changed. Names are copied: a candidate may be renamed or removed.
create table if not exists round_standings (
  round_id uuid not null references voting_rounds (id) on delete cascade,
  rank integer not null check (rank > 0),
  candidate_id uuid not null,
  token_name text not null,
  token_symbol text not null,
  total_votes integer not null check (total_votes >= 0),
  reached_at timestamptz,
  primary key (round_id, rank),
  constraint round_standings_once unique (round_id, candidate_id)
);

-- A row for every change of a vote's state, its cast included, in the transaction of the change; whoever writes the ledger
-- reads and deletes them. No references: rows outlive what they name.
create table if not exists vote_changes (
  id bigint generated always as identity primary key,
  vote_id bigint not null,
  round_id uuid,
  candidate_id uuid not null,
  user_id uuid not null,
  voted_on date not null,
  state text not null check (state in ('counted', 'under_review', 'void', 'withdrawn')),
  reason text,
  changed_at timestamptz not null default clock_timestamp()
);

-- However a vote goes (taken back, with its account, with its candidate, by a reset), it leaves its row here.
create or replace function on_votes_withdrawn() returns trigger language plpgsql as $$
begin
  insert into vote_changes (vote_id, round_id, candidate_id, user_id, voted_on, state, reason)
  select id, round_id, candidate_id, user_id, voted_on, 'withdrawn',
    nullif(current_setting('florka.votes_withdrawn', true), '') from gone;
  return null;
end $$;
create or replace trigger votes_withdrawn after delete on votes referencing old table as gone
  for each statement execute function on_votes_withdrawn();

-- Votes of a reset come back as they were.
alter table archived_votes
  add column if not exists state text not null default 'counted',
  add column if not exists state_reason text,
  add column if not exists round_id uuid;
-- If: not exists (select 1 from pg_constraint where conname = 'archived_votes_state')
alter table archived_votes add constraint archived_votes_state check (state in ('counted', 'under_review', 'void')) not valid;
alter table archived_votes validate constraint archived_votes_state;
