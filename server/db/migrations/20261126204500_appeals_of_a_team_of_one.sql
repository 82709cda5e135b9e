-- A team of one can answer the appeal against its own removal, and the row says that the same person decided.
-- Step: expand; the old server writes no such row, and its own check of the same rule stays.
-- Undo: drop the trigger, its function, the constraint and the column, and make the old check again, not valid.

alter table forum_removals add column decided_alone boolean not null default false;

-- Without a look at every row: what the old check allowed, the new one allows too.
alter table forum_removals drop constraint forum_removals_check1;
alter table forum_removals add constraint forum_removals_decider
  check (outcome = 'restored' or ended_by <> removed_by or decided_alone) not valid;

-- Nobody decides about an appeal of their own, and about their own removal only who is alone on the team.
create function check_appeal_decider() returns trigger language plpgsql as $$
begin
  if new.outcome is not distinct from old.outcome or new.outcome not in ('upheld', 'reversed') then
    return new;
  end if;
  if exists (select 1 from forum_removal_notices n where n.removal_id = new.id and n.author_id = new.ended_by) then
    raise exception 'an author does not decide about their own appeal' using errcode = 'check_violation';
  end if;
  if new.decided_alone and exists (
    select 1 from admin_profiles a join users u on u.id = a.id
    where a.id <> new.ended_by and a.staff_roles && array['owner', 'moderator']::text[]
      and (u.banned_until is null or u.banned_until <= now())
      and not exists (select 1 from forum_removal_notices n where n.removal_id = new.id and n.author_id = a.id)
  ) then
    raise exception 'somebody else on the team can decide' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger forum_removals_decider before update on forum_removals
  for each row execute function check_appeal_decider();
