-- Ended sessions: live streams hear at once who lost theirs, and open tabs end with the session they were opened in.
-- Step: expand; safe while the old server still runs. Undo: drop what is added here.

-- The session in which a tab was opened; null for tabs from before.
alter table user_connections add column auth_session_id uuid references sessions (id) on delete cascade;
create index user_connections_auth_session on user_connections (auth_session_id);

-- Whatever ends a session (sign-out, revoking, a new password, a removed account), the processes hear of it.
create function on_sessions_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('ended', json_build_object('session', id)::text) from gone;
  return null;
end $$;
create trigger sessions_ended after delete on sessions referencing old table as gone
  for each statement execute function on_sessions_ended();

-- Screens that list who is here read again. One message a transaction, however many tabs went.
create function on_connections_gone() returns trigger language plpgsql as $$
begin
  if exists (select 1 from gone where is_online) then
    perform pg_notify('live', '{"type":"domain.changed","domain":"presence"}');
  end if;
  return null;
end $$;
create trigger connections_gone after delete on user_connections referencing old table as gone
  for each statement execute function on_connections_gone();

-- A disabled member keeps the rows of the sessions, which nobody reads while the ban lasts; tabs and streams end now.
create function on_user_banned() returns trigger language plpgsql as $$
begin
  delete from user_connections where user_id = new.id;
  perform pg_notify('ended', json_build_object('member', new.id)::text);
  return null;
end $$;
create trigger user_banned after update of banned_until on users for each row
  when (new.banned_until is distinct from old.banned_until and new.banned_until > now())
  execute function on_user_banned();
