-- A week on home that a plan sold, from when to when by this database's clock; the site marks it while it runs.
-- Step: expand; safe while the old server still runs. Undo: drop what is added here; put the former check of deliverables.evidence_kind back.

create table sold_places (
  id uuid primary key default gen_random_uuid(),
  deliverable_id uuid not null references deliverables (id) on delete restrict,
  -- Null when the project was purged since.
  project_id uuid references projects (id) on delete set null,
  -- Somewhere on home, or in its Top 3.
  kind text not null check (kind in ('home', 'top3')),
  days smallint not null check (days between 1 and 31),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  ended_at timestamptz,
  -- 'time': it ran to its end. 'interrupted': the project left the place before. 'withdrawn': the deliverable was.
  end_cause text check (end_cause in ('time', 'interrupted', 'withdrawn')),
  started_by uuid references users (id) on delete set null,
  -- What follows from its end was done.
  settled_at timestamptz,
  constraint sold_places_ends check (ends_at > starts_at),
  constraint sold_places_ended check ((ended_at is null) = (end_cause is null) and (settled_at is null or ended_at is not null))
);
create unique index sold_places_running_for_deliverable on sold_places (deliverable_id) where ended_at is null;
create unique index sold_places_running_of_project on sold_places (project_id) where ended_at is null;
create index sold_places_of_deliverable on sold_places (deliverable_id, starts_at desc);
create index sold_places_unsettled on sold_places (ends_at) where settled_at is null;
create index sold_places_started_by on sold_places (started_by) where started_by is not null;

-- Its time is this clock's, whatever was written; and it is a place of the order's own token that is really on home.
create function sold_place_begins() returns trigger language plpgsql as $$
begin
  new.starts_at := clock_timestamp();
  new.ends_at := new.starts_at + make_interval(hours => 24 * new.days);
  new.ended_at := null;
  new.end_cause := null;
  new.settled_at := null;
  if not exists (
    select 1 from deliverables d
    join showcased_tokens s on s.request_id = d.submission_id and s.project_id = new.project_id
    join projects p on p.id = s.project_id
    where d.id = new.deliverable_id and d.state = 'open' and d.item = 'spotlightWeek'
      and p.status = 'published_home' and p.deleted_at is null
      and (new.kind = 'home' or p.order_index between 1 and 3)
  ) then
    raise exception 'no such place can be given' using errcode = 'check_violation', constraint = 'sold_places_given';
  end if;
  return new;
end $$;
create trigger sold_place_begins before insert on sold_places for each row execute function sold_place_begins();

-- Kept as it was; it ends once, and is settled once.
create function sold_place_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (new.id, new.deliverable_id, new.kind, new.days, new.starts_at, new.ends_at)
        is not distinct from (old.id, old.deliverable_id, old.kind, old.days, old.starts_at, old.ends_at)
      and (new.project_id is null or new.project_id = old.project_id)
      and (new.started_by is null or new.started_by = old.started_by)
      and (old.ended_at is null or (new.ended_at, new.end_cause) is not distinct from (old.ended_at, old.end_cause))
      and (old.settled_at is null or new.settled_at = old.settled_at)
      -- Nobody ends it by time before its time.
      and (new.end_cause is distinct from 'time' or old.end_cause = 'time' or clock_timestamp() >= old.ends_at)
    then return new; end if;
  end if;
  raise exception 'a sold place is kept as it is' using errcode = 'restrict_violation';
end $$;
create trigger sold_place_kept before update or delete on sold_places for each row execute function sold_place_is_kept();
create trigger sold_places_kept before truncate on sold_places for each statement execute function sold_place_is_kept();

-- A project that leaves the place that was sold interrupts it at that moment, by whatever way it leaves.
create function sold_place_interrupted() returns trigger language plpgsql as $$
begin
  update sold_places set ended_at = clock_timestamp(), end_cause = 'interrupted'
  where project_id = new.id and ended_at is null and ends_at > clock_timestamp()
    and (new.status <> 'published_home' or new.deleted_at is not null
      or (kind = 'top3' and new.order_index not between 1 and 3));
  return null;
end $$;
create trigger sold_place_interrupted after update on projects for each row
  when (old.status is distinct from new.status or old.deleted_at is distinct from new.deleted_at
    or old.order_index is distinct from new.order_index)
  execute function sold_place_interrupted();

-- What is withdrawn ends its place, too; and nothing is said to be delivered while it still runs.
create function sold_place_withdrawn() returns trigger language plpgsql as $$
begin
  if new.state = 'delivered' then
    if exists (select 1 from sold_places where deliverable_id = new.id and ended_at is null and ends_at > clock_timestamp()) then
      raise exception 'its place is still running' using errcode = 'check_violation', constraint = 'sold_places_running';
    end if;
  else
    update sold_places set ended_at = clock_timestamp(), end_cause = 'withdrawn'
    where deliverable_id = new.id and ended_at is null and ends_at > clock_timestamp();
  end if;
  return null;
end $$;
create trigger sold_place_withdrawn after update on deliverables for each row
  when (old.state = 'open' and new.state <> 'open' and new.item = 'spotlightWeek') execute function sold_place_withdrawn();

-- Without a look at every row: what the old check allowed, the new one allows too.
alter table deliverables drop constraint if exists deliverables_evidence_kind_check;
alter table deliverables add constraint deliverables_evidence_kind_check
  check (evidence_kind in ('creation', 'statement', 'place', 'url', 'transaction', 'file')) not valid;
