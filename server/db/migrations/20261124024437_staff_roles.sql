-- Staff roles: what an admin may do in the back office. An owner everything, as every admin did so far; the others a part of it.
-- Step: expand; safe while the old server still runs, which makes owners and asks for none.
-- Undo: put the former bodies of keep_an_admin() and token_approval_begins() back, drop what is added here.

alter table admin_profiles add column staff_roles text[] not null default '{owner}';
-- Who gave them; null: the operator, an invitation, or somebody whose account is gone.
alter table admin_profiles add column granted_by uuid references users (id) on delete set null;
-- An invitation gives these.
alter table admin_users add column staff_roles text[] not null default '{owner}';

-- Owner stands alone; of the others any, each once.
create function is_staff_roles(roles text[]) returns boolean language sql immutable as $$
  select roles = '{owner}' or (cardinality(roles) > 0 and roles <@ '{editor,moderator,support,finance}'
    and cardinality(roles) = (select count(distinct one) from unnest(roles) one))
$$;
alter table admin_profiles add constraint admin_profiles_staff_roles check (is_staff_roles(staff_roles));
alter table admin_users add constraint admin_users_staff_roles check (is_staff_roles(staff_roles));

-- As before, of owners: whatever removes, narrows, disables or deletes them, also two at once, one who may act stays.
create or replace function keep_an_admin() returns trigger language plpgsql as $$
begin
  -- One after the other: an update has no table of old rows, and a delete no new row.
  if tg_op = 'DELETE' then
    if not exists (select 1 from gone) then return null; end if;
  elsif not exists (select 1 from admin_profiles where id = new.id) then
    return null;
  end if;
  perform pg_advisory_xact_lock(727276);
  if not exists (select 1 from admin_profiles a join users u on u.id = a.id
                 where 'owner' = any (a.staff_roles) and (u.banned_until is null or u.banned_until <= now())) then
    raise exception 'the last owner stays' using errcode = 'FL001';
  end if;
  return null;
end $$;
create trigger admin_profiles_keep_an_owner after update of staff_roles on admin_profiles for each row
  when (new.staff_roles is distinct from old.staff_roles) execute function keep_an_admin();

-- Only an owner gives staff roles or changes them, and nobody their own.
create function staff_roles_are_given() returns trigger language plpgsql as $$
begin
  if new.granted_by is null then return new; end if;
  if new.granted_by = new.id or not exists (select 1 from admin_profiles a join users u on u.id = a.id
      where a.id = new.granted_by and 'owner' = any (a.staff_roles) and (u.banned_until is null or u.banned_until <= now())) then
    raise exception 'only another owner gives staff roles' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger staff_roles_given before insert or update of staff_roles on admin_profiles
  for each row execute function staff_roles_are_given();

-- What sessions proved before counts no more, as with every other change of rights.
create trigger staff_roles_changed after update of staff_roles on admin_profiles for each row
  when (new.staff_roles is distinct from old.staff_roles) execute function on_rights_changed('id');

-- As before; of the admins those approve who may order a token.
create or replace function token_approval_begins() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from token_proposals p where p.id = new.proposal_id and p.state = 'confirmed'
      and p.snapshot_hash = new.snapshot_hash) then
    raise exception 'only what its payer confirmed is approved' using errcode = 'restrict_violation';
  end if;
  if not exists (select 1 from admin_profiles a where a.id = new.approved_by and a.staff_roles && '{owner,finance}') then
    raise exception 'only an admin approves' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
