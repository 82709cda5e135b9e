-- How often a member tried to vote: both limits in one narrow row, because every vote of a rush writes it. Counted apart
-- from rate_limits, whose text keys and expiry index cost a vote four times as much. A crash may forget it.
create unlogged table vote_tries (
  user_id uuid primary key,
  minute_hits integer not null,
  minute_ends timestamptz not null,
  day_hits integer not null,
  day_ends timestamptz not null
);
