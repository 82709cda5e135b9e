-- Votes and news under the hands of admins: a reset keeps the votes for 30 days so that it can be undone, rounds say how
-- they ended, lists and search stay flat at 100,000 rows.
-- Step: expand; safe while the old server still runs. Undo: drop what is added here.

-- One row per reset; it stays as history when its votes are gone or were given back.
create table vote_resets (
  id uuid primary key default gen_random_uuid(),
  candidate_id uuid not null references voting_candidates (id) on delete cascade,
  votes integer not null check (votes > 0),
  reason text check (char_length(reason) <= 500),
  reset_at timestamptz not null default now(),
  reset_by uuid references users (id) on delete set null,
  undone_at timestamptz,
  undone_by uuid references users (id) on delete set null
);
create index vote_resets_candidate on vote_resets (candidate_id, reset_at desc);
create index vote_resets_open on vote_resets (reset_at) where undone_at is null;

-- The votes of a reset, without the hash of the address: it is good for a day, and a reset vote needs none.
create table archived_votes (
  reset_id uuid not null references vote_resets (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  voted_on date not null,
  created_at timestamptz not null,
  primary key (reset_id, voted_on, user_id)
);
create index archived_votes_member on archived_votes (user_id);

-- What the winner had when the round closed; its candidate may be reset or renamed later.
alter table voting_rounds
  add column winner_votes integer check (winner_votes > 0),
  add column closed_by uuid references users (id) on delete set null;
-- A winner is of a closed round.
alter table voting_rounds add constraint voting_rounds_winner_when_closed
  check (winner_candidate_id is null or status = 'closed') not valid;
create index voting_rounds_winner on voting_rounds (winner_candidate_id) where winner_candidate_id is not null;

create index voting_candidates_votes on voting_candidates (total_votes, id) where deleted_at is null;
create index news_published on news (published_at desc nulls last, id) where deleted_at is null;

-- Search by any part of a word needs trigrams. A database that lacks them answers the same, only slower.
do $$ begin
  if exists (select 1 from pg_extension where extname = 'pg_trgm') then
    create index voting_candidates_part on voting_candidates
      using gin (florka_fold(token_name || ' ' || token_symbol || ' ' || token_slug) gin_trgm_ops);
    create index news_part on news using gin (search gin_trgm_ops);
  end if;
end $$;
