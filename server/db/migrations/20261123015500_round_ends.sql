-- Rounds end by themselves: what follows is written beside the round, and the winner waits, out of the vote, to graduate.
-- Step: expand; safe while the old server still runs, which closes rounds only when it graduates a winner.
-- Undo: drop what is added here.

alter table voting_rounds
  -- Days of the round that opens when this one ends; null: voting pauses then.
  add column next_days integer default 15 check (next_days between 1 and 365);

alter table voting_candidates
  -- The round that it won, from its certification until it graduates: meanwhile nobody votes for it.
  add column certified_round_id uuid references voting_rounds (id) on delete set null;
create index voting_candidates_certified on voting_candidates (certified_round_id) where certified_round_id is not null;
