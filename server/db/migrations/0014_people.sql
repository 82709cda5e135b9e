-- People under the hands of admins: there is always an admin who may act, lists and search of members stay flat at size,
-- and forum texts can be looked through by moderation.
-- Step: expand; safe while the old server still runs. Undo: drop what is added here, and put the former body of
-- on_user_created() back.

-- Whatever removes, disables or deletes admins, also two at once: the second one waits here until the first is through,
-- and sees what it left. Admins who are disabled don't count, as they can't act.
create function keep_an_admin() returns trigger language plpgsql as $$
begin
  -- One after the other: an update has no table of old rows, and a delete no new row.
  if tg_op = 'DELETE' then
    if not exists (select 1 from gone) then return null; end if;
  elsif not exists (select 1 from admin_profiles where id = new.id) then
    return null;
  end if;
  perform pg_advisory_xact_lock(727276);
  if not exists (select 1 from admin_profiles a join users u on u.id = a.id
                 where u.banned_until is null or u.banned_until <= now()) then
    raise exception 'the last admin stays' using errcode = 'FL001';
  end if;
  return null;
end $$;
create trigger admin_profiles_keep_one after delete on admin_profiles referencing old table as gone
  for each statement execute function keep_an_admin();
create trigger users_keep_an_admin after update of banned_until on users for each row
  when (new.banned_until is distinct from old.banned_until and new.banned_until > now())
  execute function keep_an_admin();

-- As before; but who was added by an admin did not sign up, and the audit says so by an entry of its own.
create or replace function on_user_created() returns trigger language plpgsql as $$
declare
  wanted text := nullif(btrim(new.username), '');
  chosen text;
begin
  -- Without a chosen name: 'user_' + local part of the e-mail + 4 random characters; a clash draws again.
  for attempt in 1..20 loop
    chosen := coalesce(wanted, left('user_' || split_part(new.email, '@', 1), 50) || '_' || substr(md5(gen_random_uuid()::text), 1, 4));
    begin
      insert into forum_users (id, username, wallet_address, new_auth_user_id)
      values (new.id, chosen, 'user_' || new.id, new.id);
      exit;
    exception when unique_violation then
      if wanted is not null or attempt = 20 then raise; end if;
    end;
  end loop;
  insert into user_roles (user_id, moderator_request_status, requested_at)
  values (new.id, case when new.request_moderator then 'pending' else 'approved' end,
          case when new.request_moderator then now() end);
  if coalesce(current_setting('florka.added_by_staff', true), '') <> 'yes' then
    insert into audit_events (actor_id, actor_role, action, resource_type, resource_id, after)
    values (new.id, 'user', 'member.signed_up', 'member', new.id, jsonb_build_object('requestModerator', new.request_moderator));
  end if;
  return null;
end $$;

create index users_unconfirmed on users (created_at desc, id) where confirmed_at is null;
create index users_banned on users (created_at desc, id) where banned_until is not null;
create index forum_users_newest on forum_users (created_at desc, id);

create index forum_comments_newest on forum_comments (created_at desc, id);
create index forum_posts_hidden on forum_posts (created_at desc, id) where is_hidden;
create index forum_comments_hidden on forum_comments (created_at desc, id) where is_hidden;

-- Search by any part of a word needs trigrams. A database that lacks them answers the same, only slower.
do $$ begin
  create extension if not exists pg_trgm;
exception when others then
  raise notice 'no trigrams here: %', sqlerrm;
end $$;
do $$ begin
  if exists (select 1 from pg_extension where extname = 'pg_trgm') then
    create index users_email_part on users using gin (email gin_trgm_ops);
    create index forum_users_name_part on forum_users using gin (florka_fold(username) gin_trgm_ops);
    create index forum_users_wallet_part on forum_users using gin (lower(wallet_address) gin_trgm_ops);
    create index forum_posts_part on forum_posts using gin (florka_fold(title) gin_trgm_ops);
  end if;
end $$;
