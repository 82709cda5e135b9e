-- Votes in parts by month of their UTC day, so that old months can go without a long lock. What is there becomes the first part;
-- the months that follow are made by the owner at each start. Sums of votes that went are in carried_votes.
-- Step: expand; safe while the old server still runs: it reads and writes the same table by the same statements.
-- Mode: online
-- Undo: a table without parts with the columns, keys and triggers of `votes`, filled from it, in its place.

-- The first part ends with the month after this one: nobody may be kept from voting at the end of a month while this runs. One that
-- was cut short begins with a new end.
-- If: (select relkind from pg_class where oid = 'votes'::regclass) = 'r'
alter table votes drop constraint if exists votes_first_months;
-- If: (select relkind from pg_class where oid = 'votes'::regclass) = 'r'
do $$
declare
  upper date := greatest((now() at time zone 'UTC')::date, (select max(voted_on) from votes));
begin
  execute format('alter table votes add constraint votes_first_months check (voted_on < %L) not valid',
    (date_trunc('month', upper) + interval '2 months')::date);
end $$;
-- If: (select relkind from pg_class where oid = 'votes'::regclass) = 'r'
alter table votes validate constraint votes_first_months;
-- If: (select relkind from pg_class where oid = 'votes'::regclass) = 'r'
create unique index concurrently if not exists votes_id_day on votes (id, voted_on);
-- The newest counted vote is looked for on one day: its month is known then. A server from before reads more where a vote is taken
-- back; what it finds is right.
-- If: (select relkind from pg_class where oid = 'votes'::regclass) = 'r'
create index concurrently if not exists votes_before_newest_counted on votes (candidate_id, generation, voted_on, created_at)
  where state = 'counted';

create or replace function on_votes_withdrawn() returns trigger language plpgsql as $$
begin
  -- Their sums are carried: they count as before, and the ledger has nothing to say.
  if current_setting('florka.votes_withdrawn', true) = 'carried' then return null; end if;
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

-- One short transaction: no row is read or written. Whoever may use the table may use the new one.
-- If: (select relkind from pg_class where oid = 'votes'::regclass) = 'r'
do $$
declare
  upper date := (select (regexp_match(pg_get_constraintdef(oid), '''(\d{4}-\d\d-\d\d)'''))[1]::date from pg_constraint
    where conrelid = 'votes'::regclass and conname = 'votes_first_months');
  next_id bigint;
  granted record;
begin
  alter table votes rename to votes_before;
  select case when is_called then last_value + 1 else last_value end into next_id from votes_id_seq;
  drop trigger votes_withdrawn on votes_before;
  drop trigger votes_replaced on votes_before;
  drop trigger votes_left_clusters on votes_before;
  drop trigger votes_replaced_in_clusters on votes_before;
  drop trigger votes_changed_state on votes_before;
  -- A part has no identity of its own, and before PostgreSQL 17 a table in parts has none either.
  alter table votes_before alter column id drop identity;
  create sequence votes_id_seq as bigint;
  perform setval('votes_id_seq', next_id, false);
  alter table votes_before alter column id set default nextval('votes_id_seq');
  alter table votes_before drop constraint votes_pkey;
  alter table votes_before add constraint votes_before_pkey primary key using index votes_id_day;
  alter table votes_before rename constraint votes_once_a_day to votes_before_once_a_day;
  alter index votes_of_member rename to votes_before_of_member;
  drop index votes_newest_counted;
  create table votes (
    id bigint not null default nextval('votes_id_seq'),
    candidate_id uuid not null,
    user_id uuid not null,
    voted_on date not null,
    created_at timestamptz not null default now(),
    ip_hash bytea,
    state text not null default 'counted',
    state_reason text,
    networks bytea[],
    round_id uuid,
    banned_state text,
    banned_reason text,
    generation integer not null default 0,
    constraint votes_pkey primary key (id, voted_on),
    constraint votes_once_a_day unique (candidate_id, voted_on, user_id),
    constraint votes_state check (state in ('counted', 'under_review', 'void')),
    constraint votes_candidate_id_fkey foreign key (candidate_id) references voting_candidates (id) on delete cascade,
    constraint votes_user_id_fkey foreign key (user_id) references users (id) on delete cascade
  ) partition by range (voted_on);
  create index votes_of_member on votes (user_id, voted_on);
  create index votes_newest_counted on votes (candidate_id, generation, voted_on, created_at) where state = 'counted';
  -- The validated check says that no row has to be read.
  execute format('alter table votes attach partition votes_before for values from (minvalue) to (%L)', upper);
  -- Whatever month is missing: no vote is refused.
  execute format('create table votes_later partition of votes for values from (%L) to (maxvalue)', upper);
  alter table votes_before drop constraint votes_first_months;
  alter sequence votes_id_seq owned by votes.id;
  create trigger votes_withdrawn after delete on votes referencing old table as gone
    for each statement execute function on_votes_withdrawn();
  create trigger votes_replaced after update of id on votes for each row execute function on_vote_replaced();
  create trigger votes_left_clusters after delete on votes referencing old table as gone
    for each statement execute function on_votes_left_clusters();
  create trigger votes_replaced_in_clusters after update of id on votes
    for each row execute function on_vote_left_cluster();
  create trigger votes_changed_state after update on votes referencing new table as became
    for each statement execute function on_votes_changed_state();
  create or replace view present_votes as
  select v.id, v.candidate_id, v.user_id, v.voted_on, v.created_at, v.state, v.state_reason, v.networks, v.round_id,
    v.banned_state, v.banned_reason, v.generation
  from votes v join voting_candidates c on c.id = v.candidate_id and v.generation = any (c.generations);
  for granted in
    select a.privilege_type as may, case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end as who
    from pg_class t, aclexplode(t.relacl) a where t.oid = 'votes_before'::regclass and a.grantee <> t.relowner
  loop
    execute format('grant %s on votes to %s', granted.may, granted.who);
    if granted.may = 'INSERT' then execute format('grant usage, select on sequence votes_id_seq to %s', granted.who); end if;
  end loop;
end $$;

-- Counted votes of months that went, up to 2,000 in a row: which leaf of the ledger has the last word about each, and nothing of
-- who cast them.
create table if not exists carried_votes (
  candidate_id uuid not null references voting_candidates (id) on delete cascade,
  generation integer not null,
  day date not null,
  piece integer not null check (piece >= 0),
  votes integer not null,
  -- The moment of the newest of them.
  newest_at timestamptz not null,
  leaves bigint[] not null,
  primary key (candidate_id, generation, day, piece),
  constraint carried_votes_leaves check (votes > 0 and votes = cardinality(leaves))
);
create index if not exists carried_votes_day on carried_votes (day);
-- Of the rows that a move of generations takes or brings back, how many the ledger has entered.
alter table vote_moves add column if not exists carried_to integer not null default 0;
-- What the vote of a ticket was when its month went.
alter table vote_tickets
  add column if not exists carried_state text,
  add column if not exists carried_generation integer;

-- Where the vote of a cluster is: without its day each month would be looked through.
alter table vote_review_votes add column if not exists voted_on date;
create or replace function on_review_vote() returns trigger language plpgsql as $$
begin
  -- A server from before this knows no day.
  if new.voted_on is null then select v.voted_on into new.voted_on from votes v where v.id = new.vote_id; end if;
  select floor(extract(epoch from v.created_at - u.created_at) / 3600)::int, v.networks[1],
    case when v.state = 'under_review' then v.generation end into new.age_hours, new.network, new.waiting
  from votes v join users u on u.id = v.user_id where v.id = new.vote_id and v.voted_on = new.voted_on;
  return new;
end $$;
-- Batch
with piece as (
  select r.vote_id, v.voted_on from vote_review_votes r join votes v on v.id = r.vote_id where r.voted_on is null limit 2000
)
update vote_review_votes r set voted_on = p.voted_on from piece p where r.vote_id = p.vote_id;

-- Of the whole table nobody else takes notes: autovacuum looks at its parts.
analyze votes;
