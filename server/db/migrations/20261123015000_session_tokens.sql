-- Sessions: a token that changes with the member's rights, and a longest life.
-- Step: expand; safe while the old server still runs, which leaves the columns alone. Two columns without a rewrite: one is
-- nullable, the other has a constant default.
-- Undo: drop the triggers, their function and what is added here.

-- True: the next call of `auth.me` gives the session another token, because the rights behind it changed meanwhile.
alter table sessions add column token_due boolean not null default false;
-- The token before that change; good for some seconds, for what was on its way from the same browser.
alter table sessions add column former_token text;
alter table sessions add column former_until timestamptz;

-- Whoever changes a role, and however: what the member's sessions proved before counts no more.
create function on_rights_changed() returns trigger language plpgsql as $$
begin
  update sessions set token_due = true, proved_at = 'epoch'
  where user_id = (case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end ->> tg_argv[0])::uuid;
  return null;
end $$;
create trigger role_changed after update of role on user_roles for each row
  when (new.role is distinct from old.role) execute function on_rights_changed('user_id');
create trigger admin_profile_changed after insert or delete on admin_profiles for each row
  execute function on_rights_changed('id');
