-- The race of an ended round by day, as it was when the round ended: later days and reviews change what it could be computed from.
-- Step: expand; safe while the old server still runs, which keeps none of its rounds.
-- Undo: drop the table.

create table round_races (
  round_id uuid not null references voting_rounds (id) on delete cascade,
  -- In the final standings.
  place integer not null check (place > 0),
  -- As in round_standings: a candidate may be renamed or removed.
  candidate_id uuid not null,
  token_name text not null,
  token_symbol text not null,
  -- UTC day of the first entry of both lists; one for each day.
  first_day date not null,
  totals integer[] not null check (cardinality(totals) between 1 and 60),
  ranks integer[] not null check (cardinality(ranks) = cardinality(totals)),
  primary key (round_id, place)
);
