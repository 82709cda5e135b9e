-- The figures of a cluster (votes, members, networks, age) are no longer counted anew from all of its votes, under the lock of
-- their candidate, each time it grows: triggers keep them, by what came and what went. So they also follow votes that were
-- taken back.
-- Step: expand; safe while the old server still runs, which counts them anew as before.
-- Mode: online
-- Undo: drop the triggers, functions, tables and columns that are added here.

alter table vote_review_votes
  -- Of the account when it voted, and its nearest network, as they are counted in the figures of the cluster. Null when the
  -- vote is gone: then it is in none of them.
  add column if not exists age_hours integer,
  add column if not exists network bytea;

-- How many votes of a cluster have this age, and this network: what the figures are read from.
create table if not exists vote_review_ages (
  cluster_id uuid not null references vote_review_clusters (id) on delete cascade,
  hours integer not null,
  votes integer not null check (votes >= 0),
  primary key (cluster_id, hours)
);
create table if not exists vote_review_networks (
  cluster_id uuid not null references vote_review_clusters (id) on delete cascade,
  network bytea not null,
  votes integer not null check (votes >= 0),
  primary key (cluster_id, network)
);

-- Votes came into clusters (step 1) or left them (step -1), and are there, or not any more, as counted: arrays of one length.
-- One change of clusters at a time: behind their locks, which are taken in the order of their ids, nothing else moves.
create or replace function change_cluster_figures(clusters uuid[], members uuid[], ages integer[], nets bytea[], step integer)
returns void language plpgsql as $$
declare
  joined jsonb;
begin
  if clusters is null then return; end if;
  perform 1 from vote_review_clusters where id = any (clusters) order by id for no key update;
  with came as (
    select * from unnest(clusters, members, ages, nets) as c (cluster_id, user_id, hours, network)
  ), by_member as (
    -- Of a member whose counted votes in the cluster are these alone, or are none any more.
    select n.cluster_id, count(*) as n from (select cluster_id, user_id, count(*) as n from came group by 1, 2) n
    where (select count(*) from vote_review_votes r where r.user_id = n.user_id and r.cluster_id = n.cluster_id
      and r.age_hours is not null) = case when step > 0 then n.n else 0 end
    group by 1
  ), by_network as (
    select n.cluster_id, count(*) as n
    from (select cluster_id, network, count(*) as n from came where network is not null group by 1, 2) n
    left join vote_review_networks o on o.cluster_id = n.cluster_id and o.network = n.network
    where coalesce(o.votes, 0) = case when step > 0 then 0 else n.n end
    group by 1
  )
  select jsonb_object_agg(c.cluster_id, jsonb_build_array(c.n, coalesce(m.n, 0), coalesce(w.n, 0))) into joined
  from (select cluster_id, count(*) as n from came group by 1) c
  left join by_member m on m.cluster_id = c.cluster_id left join by_network w on w.cluster_id = c.cluster_id;
  if step > 0 then
    insert into vote_review_ages as a (cluster_id, hours, votes)
    select c, h, count(*) from unnest(clusters, ages) as n (c, h) group by 1, 2 order by 1, 2
    on conflict (cluster_id, hours) do update set votes = a.votes + excluded.votes;
    insert into vote_review_networks as w (cluster_id, network, votes)
    select c, n, count(*) from unnest(clusters, nets) as t (c, n) where n is not null group by 1, 2 order by 1, 2
    on conflict (cluster_id, network) do update set votes = w.votes + excluded.votes;
  else
    update vote_review_ages a set votes = a.votes - n.votes
    from (select c, h, count(*) as votes from unnest(clusters, ages) as n (c, h) group by 1, 2) n
    where a.cluster_id = n.c and a.hours = n.h;
    update vote_review_networks w set votes = w.votes - n.votes
    from (select c, n, count(*) as votes from unnest(clusters, nets) as t (c, n) where n is not null group by 1, 2) n
    where w.cluster_id = n.c and w.network = n.n;
    delete from vote_review_ages where cluster_id = any (clusters) and hours = any (ages) and votes = 0;
    -- A hash of a network is kept no longer than the votes that came from it.
    delete from vote_review_networks where cluster_id = any (clusters) and network = any (nets) and votes = 0;
  end if;
  update vote_review_clusters c set
    votes = c.votes + step * (joined -> c.id::text ->> 0)::int,
    members = c.members + step * (joined -> c.id::text ->> 1)::int,
    networks = c.networks + step * (joined -> c.id::text ->> 2)::int,
    age_hours = coalesce((
      select s.hours from (
        select a.hours, sum(a.votes) over (order by a.hours) as up_to, sum(a.votes) over () as total
        from vote_review_ages a where a.cluster_id = c.id
      ) s where s.up_to * 2 >= s.total order by s.hours limit 1), 0)
  where c.id = any (clusters);
end $$;

create or replace function on_review_vote() returns trigger language plpgsql as $$
begin
  select floor(extract(epoch from v.created_at - u.created_at) / 3600)::int, v.networks[1] into new.age_hours, new.network
  from votes v join users u on u.id = v.user_id where v.id = new.vote_id;
  return new;
end $$;
create or replace function on_review_votes_came() returns trigger language plpgsql as $$
begin
  perform change_cluster_figures(array_agg(cluster_id), array_agg(user_id), array_agg(age_hours), array_agg(network), 1)
  from came where age_hours is not null;
  return null;
end $$;
create or replace function on_review_votes_went() returns trigger language plpgsql as $$
begin
  perform change_cluster_figures(array_agg(cluster_id), array_agg(user_id), array_agg(age_hours), array_agg(network), -1)
  from gone where age_hours is not null;
  return null;
end $$;
-- The row stays when its vote goes: later votes of the member belong to the same cluster.
create or replace function leave_clusters(ids bigint[]) returns void language plpgsql as $$
declare
  was record;
begin
  -- Nearly no vote is in a cluster: one look, and no more.
  select array_agg(l.vote_id) as votes, array_agg(l.cluster_id) as clusters, array_agg(l.user_id) as members,
    array_agg(l.age_hours) as ages, array_agg(l.network) as nets into was
  from (select * from vote_review_votes where vote_id = any (ids) and age_hours is not null order by vote_id for update) l;
  if was.votes is null then return; end if;
  update vote_review_votes set age_hours = null, network = null where vote_id = any (was.votes);
  perform change_cluster_figures(was.clusters, was.members, was.ages, was.nets, -1);
end $$;
create or replace function on_votes_left_clusters() returns trigger language plpgsql as $$
begin
  perform leave_clusters(array_agg(id)) from gone;
  return null;
end $$;
create or replace function on_vote_left_cluster() returns trigger language plpgsql as $$
begin
  perform leave_clusters(array[old.id]);
  return null;
end $$;

create or replace trigger review_vote_figures before insert on vote_review_votes
  for each row execute function on_review_vote();
create or replace trigger review_votes_came after insert on vote_review_votes referencing new table as came
  for each statement execute function on_review_votes_came();
create or replace trigger review_votes_went after delete on vote_review_votes referencing old table as gone
  for each statement execute function on_review_votes_went();
create or replace trigger votes_left_clusters after delete on votes referencing old table as gone
  for each statement execute function on_votes_left_clusters();
create or replace trigger votes_replaced_in_clusters after update of id on votes
  for each row execute function on_vote_left_cluster();

-- Clusters from before: their figures begin at nothing and come by their votes.
-- Batch
update vote_review_clusters c set votes = 0, members = 0, networks = 0
where c.id in (select o.id from vote_review_clusters o where o.votes > 0
  and not exists (select 1 from vote_review_ages a where a.cluster_id = o.id) limit 1000);
-- Batch
with piece as (
  select r.vote_id, floor(extract(epoch from v.created_at - u.created_at) / 3600)::int as hours, v.networks[1] as network
  from vote_review_votes r join votes v on v.id = r.vote_id join users u on u.id = r.user_id
  where r.age_hours is null order by r.vote_id limit 2000
), done as (
  update vote_review_votes r set age_hours = s.hours, network = s.network from piece s where r.vote_id = s.vote_id
  returning r.cluster_id, r.user_id, r.age_hours, r.network
)
select change_cluster_figures(array_agg(cluster_id), array_agg(user_id), array_agg(age_hours), array_agg(network), 1)
from done having count(*) > 0;
