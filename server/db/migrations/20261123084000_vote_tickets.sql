-- Tickets of votes: what a voter keeps and shares, under an address that nobody guesses.
-- Step: expand; safe while the old server still runs. Undo: drop table vote_tickets.

create table vote_tickets (
  id uuid primary key default gen_random_uuid(),
  -- No reference: the ticket of a vote that was taken back says so.
  vote_id bigint not null unique,
  user_id uuid not null references users (id) on delete cascade,
  candidate_id uuid not null references voting_candidates (id) on delete cascade,
  voted_on date not null,
  -- Place of the vote among those of its candidate, and of the candidate in the ranking, when the ticket was kept.
  number integer not null check (number > 0),
  rank integer not null check (rank > 0),
  round_number integer check (round_number > 0),
  kept_at timestamptz not null
);
create index vote_tickets_user on vote_tickets (user_id, kept_at);
create index vote_tickets_candidate on vote_tickets (candidate_id);
