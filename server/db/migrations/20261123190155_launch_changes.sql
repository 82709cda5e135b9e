-- Every change of a launch's announced hour is kept, and followers hear once that a chain proves the launch.
-- Step: expand; safe while the old server still runs. Undo: drop what is added here.

create table next_launch_changes (
  id bigint generated always as identity primary key,
  project_id uuid not null references next_projects (id) on delete cascade,
  -- The end of the countdown, else the date; null: no hour was announced.
  was timestamptz,
  becomes timestamptz,
  -- Somebody outside may have read the former hour: the project is public, or followers were told of it.
  announced boolean not null,
  changed_at timestamptz not null default clock_timestamp(),
  constraint next_launch_changes_differ check (was is distinct from becomes)
);
create index next_launch_changes_of_project on next_launch_changes (project_id, id desc);

-- Whoever changes it, and by whatever way: an editor, a schedule, an earlier version that comes back, a statement by hand.
create function next_launch_moved() returns trigger language plpgsql as $$
begin
  insert into next_launch_changes (project_id, was, becomes, announced)
  values (new.id, coalesce(old.countdown_end, old.launch_date), coalesce(new.countdown_end, new.launch_date),
    (old.is_active and old.status in ('published', 'launched') and old.deleted_at is null) or old.told_launch_at is not null);
  return null;
end $$;
create trigger next_launch_moved after update on next_projects for each row
  when (coalesce(old.countdown_end, old.launch_date) is distinct from coalesce(new.countdown_end, new.launch_date))
  execute function next_launch_moved();

-- They go with their project, when the trash is emptied, and only then.
create function next_launch_change_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if not exists (select 1 from next_projects where id = old.project_id) then return old; end if;
  end if;
  raise exception 'a change of a launch is kept as it is' using errcode = 'restrict_violation';
end $$;
create trigger next_launch_change_kept before update or delete on next_launch_changes
  for each row execute function next_launch_change_is_kept();
create trigger next_launch_changes_kept before truncate on next_launch_changes
  for each statement execute function next_launch_change_is_kept();

-- What proves a launch: a token that was made here, read back from its chain, at the address that the project names.
-- 'test': on a test chain, or for simulated money. Null: nothing does.
create function next_launch_proof(address text, on_network text) returns jsonb language sql stable as $$
  select jsonb_build_object('test', c.simulation, 'transaction', c.transaction, 'transactionUrl', c.transaction_page,
    'block', c.facts ->> 'block')
  from token_creations c
  where c.state = 'completed' and c.transaction is not null and lower(c.address) = lower($1)
    and case c.network when 'binance' then 'bnb' else c.network end = $2
    -- Only where letters carry no meaning may their case differ.
    and (c.network <> 'solana' or c.address = $1)
  order by c.simulation, c.completed_at limit 1
$$;

-- Of what proof followers were told; nobody is told of what was proven before.
alter table next_projects add column notified_proof text check (notified_proof in ('test', 'chain'));
update next_projects set notified_proof = case when (next_launch_proof(contract_address, network) ->> 'test')::boolean then 'test' else 'chain' end
  where told_launched and next_launch_proof(contract_address, network) is not null;
