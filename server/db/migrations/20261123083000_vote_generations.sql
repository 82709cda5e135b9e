-- A reset no longer moves votes: each vote is of a generation, a candidate says which generations count, and a reset is a new
-- one. What a reset took is in votes until it is undone or 30 days are over, and the ledger is told of it by one row.
-- Step: expand; safe while the old server still runs, as long as nobody resets votes: it knows one generation only.
-- Mode: online
-- Undo: drop what is added here, and make votes_newest again as 20261123014500 does.

alter table votes add column if not exists generation integer not null default 0;
-- The last one is that of new votes.
alter table voting_candidates add column if not exists generations integer[] not null default '{0}';

-- The newest counted vote of each generation. It takes the place of votes_newest.
create index concurrently if not exists votes_newest_counted on votes (candidate_id, generation, created_at) where state = 'counted';
drop index concurrently if exists votes_newest;

alter table vote_changes
  -- Of a vote that was there before; null for those that are cast.
  add column if not exists generation integer,
  -- The state before the change.
  add column if not exists was text,
  -- There is no such vote any more.
  add column if not exists gone boolean not null default false;
create index concurrently if not exists vote_changes_of_moved on vote_changes (candidate_id, id) where was is not null;

alter table vote_resets
  -- Null for resets of before, whose votes are in archived_votes.
  add column if not exists generations integer[],
  -- What an undo gives back, as of now: members leave and vote anew meanwhile.
  add column if not exists total_votes integer not null default 0,
  add column if not exists votes_under_review integer not null default 0,
  add column if not exists votes_void integer not null default 0,
  -- When its votes were deleted for good.
  add column if not exists emptied_at timestamptz;
create table if not exists vote_reset_days (
  reset_id uuid not null references vote_resets (id) on delete cascade,
  day date not null,
  votes integer not null check (votes >= 0),
  primary key (reset_id, day)
);

-- Whole generations that went or came back: one row in the queue of vote_changes, with a number of the same sequence.
create table if not exists vote_moves (
  id bigint primary key default nextval('vote_changes_id_seq'),
  candidate_id uuid not null,
  generations integer[] not null,
  -- Whether they came back.
  back boolean not null,
  -- How many votes these were.
  votes integer not null,
  -- The ledger has entered them up to this id.
  done_to bigint not null default 0,
  moved_at timestamptz not null default clock_timestamp()
);

create or replace view present_votes as
select v.id, v.candidate_id, v.user_id, v.voted_on, v.created_at, v.state, v.state_reason, v.networks, v.round_id,
  v.banned_state, v.banned_reason, v.generation
from votes v join voting_candidates c on c.id = v.candidate_id and v.generation = any (c.generations);

-- However a vote goes (taken back, with its account, with its candidate, for good after a reset), it leaves its row, and what
-- an undo would give back is less by it.
create or replace function on_votes_withdrawn() returns trigger language plpgsql as $$
begin
  insert into vote_changes (vote_id, round_id, candidate_id, user_id, voted_on, state, reason, generation, was, gone)
  select id, round_id, candidate_id, user_id, voted_on, 'withdrawn',
    nullif(current_setting('florka.votes_withdrawn', true), ''), generation, state, true from gone order by id;
  with away as (
    select r.id, g.voted_on, g.state,
      q.id is not null and (g.round_id = q.id or (g.round_id is null and g.created_at >= q.opens_at)) as running
    from gone g
    join vote_resets r on r.candidate_id = g.candidate_id and r.undone_at is null and g.generation = any (r.generations)
    left join voting_rounds q on q.status = 'open'
  ), days as (
    update vote_reset_days d set votes = d.votes - n.votes
    from (select id, voted_on, count(*)::int as votes from away where state = 'counted' group by 1, 2) n
    where d.reset_id = n.id and d.day = n.voted_on
  )
  update vote_resets r set total_votes = r.total_votes - n.counted,
    votes_under_review = r.votes_under_review - n.under_review, votes_void = r.votes_void - n.void
  from (select id, count(*) filter (where state = 'counted') as counted,
      count(*) filter (where state = 'under_review' and running) as under_review,
      count(*) filter (where state = 'void' and running) as void from away group by 1) n
  where r.id = n.id;
  return null;
end $$;

-- Who voted again on the day of a reset has the newer vote, under a number of its own; the older one does not come back.
create or replace function on_vote_replaced() returns trigger language plpgsql as $$
declare
  running boolean := exists (select 1 from voting_rounds r where r.status = 'open'
    and (old.round_id = r.id or (old.round_id is null and old.created_at >= r.opens_at)));
  reset uuid;
begin
  insert into vote_changes (vote_id, round_id, candidate_id, user_id, voted_on, state, reason, generation, was, gone)
  values (old.id, old.round_id, old.candidate_id, old.user_id, old.voted_on, 'withdrawn', 'replaced', old.generation, old.state, true);
  update vote_resets set total_votes = total_votes - (old.state = 'counted')::int,
    votes_under_review = votes_under_review - (running and old.state = 'under_review')::int,
    votes_void = votes_void - (running and old.state = 'void')::int
  where candidate_id = old.candidate_id and undone_at is null and old.generation = any (generations) returning id into reset;
  if old.state = 'counted' then
    update vote_reset_days set votes = votes - 1 where reset_id = reset and day = old.voted_on;
  end if;
  return null;
end $$;
create or replace trigger votes_replaced after update of id on votes for each row execute function on_vote_replaced();
