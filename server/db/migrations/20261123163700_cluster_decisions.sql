-- A decision about a cluster is a row with its progress: it is carried out 500 votes at a time, and a job goes on with one whose
-- process ended. How many votes of a cluster wait is kept by triggers; it was counted from all of them for each row of the list.
-- Step: expand; safe while the old server still runs: it decides without a row, and its changes are counted too.
-- Mode: online
-- Undo: drop the tables, triggers, functions and the column that are added here, and make leave_clusters, on_review_vote,
-- on_review_votes_came and on_review_votes_went again as 20261123115600 does.

create table if not exists vote_review_decisions (
  id uuid primary key default gen_random_uuid(),
  cluster_id uuid not null references vote_review_clusters (id) on delete cascade,
  act text not null,
  reason text,
  decided_by uuid references users (id) on delete set null,
  began_at timestamptz not null,
  -- Votes that it was about when it began, and those that it changed.
  votes integer not null check (votes >= 0),
  done integer not null default 0 check (done >= 0),
  -- Null while it is carried out.
  finished_at timestamptz,
  constraint vote_review_decisions_act check (act in ('release', 'void', 'undo')),
  constraint vote_review_decisions_reason check (act <> 'void' or coalesce(length(btrim(reason)), 0) > 0)
);
-- One at a time.
create unique index if not exists vote_review_decisions_running on vote_review_decisions (cluster_id) where finished_at is null;
create index if not exists vote_review_decisions_cluster on vote_review_decisions (cluster_id);
create index if not exists vote_review_decisions_by on vote_review_decisions (decided_by) where decided_by is not null;

-- Cut short before this: gone on with, as whoever decided said.
insert into vote_review_decisions (cluster_id, act, reason, decided_by, began_at, votes, done)
select c.id, case c.deciding when 'void' then 'void' else 'release' end, coalesce(e.reason, nullif(c.deciding, 'counted')), u.id,
  coalesce(e.at, now()), c.votes, (select count(*) from vote_review_votes v where v.cluster_id = c.id and v.decided_as is not null)
from vote_review_clusters c
left join lateral (
  select a.reason, a.actor_id, a.at from audit_events a where a.resource_type = 'vote_cluster' and a.resource_id = c.id::text
    and a.action in ('votes.voided', 'votes.released') order by a.id desc limit 1
) e on true
left join users u on u.id = e.actor_id
where c.deciding is not null and c.state = 'open'
on conflict do nothing;

-- The generation of a vote while it is under review; null while it is not, and when it is gone.
alter table vote_review_votes add column if not exists waiting integer;
-- Votes of a cluster that wait, by candidate and generation: a reset takes generations and touches no vote.
create table if not exists vote_review_waiting (
  cluster_id uuid not null references vote_review_clusters (id) on delete cascade,
  candidate_id uuid not null,
  generation integer not null,
  votes integer not null check (votes >= 0),
  primary key (cluster_id, candidate_id, generation)
);

-- Adds to the figures of waiting votes: arrays of one length, and what each adds.
create or replace function change_waiting(clusters uuid[], candidates uuid[], gens integer[], steps integer[]) returns void
language plpgsql as $$
begin
  if clusters is null then return; end if;
  insert into vote_review_waiting (cluster_id, candidate_id, generation, votes)
  select c, d, g, 0 from unnest(clusters, candidates, gens, steps) as n (c, d, g, step)
  group by 1, 2, 3 having sum(step) > 0 order by 1, 2, 3
  on conflict do nothing;
  update vote_review_waiting w set votes = w.votes + n.step
  from (select c, d, g, sum(step)::int as step from unnest(clusters, candidates, gens, steps) as n (c, d, g, step)
    group by 1, 2, 3 having sum(step) <> 0) n
  where w.cluster_id = n.c and w.candidate_id = n.d and w.generation = n.g;
end $$;

create or replace function on_review_vote() returns trigger language plpgsql as $$
begin
  select floor(extract(epoch from v.created_at - u.created_at) / 3600)::int, v.networks[1],
    case when v.state = 'under_review' then v.generation end into new.age_hours, new.network, new.waiting
  from votes v join users u on u.id = v.user_id where v.id = new.vote_id;
  return new;
end $$;
create or replace function on_review_votes_came() returns trigger language plpgsql as $$
begin
  perform change_cluster_figures(array_agg(cluster_id), array_agg(user_id), array_agg(age_hours), array_agg(network), 1)
  from came where age_hours is not null;
  perform change_waiting(array_agg(cluster_id), array_agg(candidate_id), array_agg(waiting), array_agg(1))
  from came where waiting is not null;
  return null;
end $$;
create or replace function on_review_votes_went() returns trigger language plpgsql as $$
begin
  perform change_cluster_figures(array_agg(cluster_id), array_agg(user_id), array_agg(age_hours), array_agg(network), -1)
  from gone where age_hours is not null;
  perform change_waiting(array_agg(cluster_id), array_agg(candidate_id), array_agg(waiting), array_agg(-1))
  from gone where waiting is not null;
  return null;
end $$;
create or replace function on_review_votes_changed() returns trigger language plpgsql as $$
begin
  perform change_waiting(array_agg(n.cluster_id), array_agg(n.candidate_id), array_agg(n.waiting), array_agg(n.step))
  from (
    select cluster_id, candidate_id, waiting, -1 as step from was where waiting is not null
    union all
    select cluster_id, candidate_id, waiting, 1 from became where waiting is not null
  ) n;
  return null;
end $$;
create or replace function on_votes_changed_state() returns trigger language plpgsql as $$
begin
  update vote_review_votes r set waiting = case when n.state = 'under_review' then n.generation end
  from became n
  where r.vote_id = n.id and r.waiting is distinct from case when n.state = 'under_review' then n.generation end;
  return null;
end $$;
create or replace function leave_clusters(ids bigint[]) returns void language plpgsql as $$
declare
  was record;
begin
  -- Nearly no vote is in a cluster: one look, and no more.
  select array_agg(l.vote_id) as votes, array_agg(l.cluster_id) as clusters, array_agg(l.user_id) as members,
    array_agg(l.age_hours) as ages, array_agg(l.network) as nets into was
  from (select * from vote_review_votes where vote_id = any (ids) and age_hours is not null order by vote_id for update) l;
  if was.votes is null then return; end if;
  -- Before the figures of waiting votes, as a cluster that grows has them.
  perform 1 from vote_review_clusters where id = any (was.clusters) order by id for no key update;
  update vote_review_votes set age_hours = null, network = null, waiting = null where vote_id = any (was.votes);
  perform change_cluster_figures(was.clusters, was.members, was.ages, was.nets, -1);
end $$;
create or replace trigger review_votes_changed after update on vote_review_votes
  referencing old table as was new table as became for each statement execute function on_review_votes_changed();
create or replace trigger votes_changed_state after update on votes referencing new table as became
  for each statement execute function on_votes_changed_state();

-- Votes that wait in clusters from before. Each is held meanwhile, so that none changes between being read and being counted.
-- Batch
with piece as (
  select v.id, v.generation from vote_review_votes r join votes v on v.id = r.vote_id
  where r.waiting is null and v.state = 'under_review' order by v.id limit 2000 for share of v
)
update vote_review_votes r set waiting = p.generation from piece p where r.vote_id = p.id and r.waiting is null;
