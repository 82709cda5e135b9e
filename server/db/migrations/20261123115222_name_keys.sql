-- Names that look alike are one name: what they have in common is a key of its own, kept by a trigger, unique. Default names
-- are no longer made of the mailbox.
-- Step: expand; safe while the old server still runs, which refuses a taken key as it refuses a taken name.
-- Mode: online
-- Undo: make on_forum_user_named and on_user_created of before again, drop the index, the column and the function.

-- Compatibility forms are read as plain letters; accents, blanks and what nobody sees go; letters of other alphabets and digits
-- stand for the Latin letters that they look like.
create or replace function florka_name_key(input text) returns text language sql immutable parallel safe strict as $$
  select replace(replace(translate(lower(translate(
    regexp_replace(normalize(input, NFKD),
      '[\s\u00ad\u0300-\u036f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u2028-\u202e\u2060-\u206f\u20d0-\u20ff\u2800\u3164\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0]',
      '', 'g'),
    'АВЕЅІЈКМНОРСТУХҺԚԜавеѕіјкмнорстухһԁԛԝьгпΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεικνορτυχγωıɑɡøØłŁđĐħĦ’‘`´ʼ‐‑–—−',
    'ABESIJKMHOPCTYXHQWabesijkmhopctyxhdqwbrnABEZHIKMNOPTYXabeikvoptuxywiagoOlLdDhH''''''''''-----')),
    'i1|0', 'lllo'), 'rn', 'm'), 'vv', 'w')
$$;

alter table forum_users add column if not exists name_key text not null default '';
create or replace function on_forum_user_named() returns trigger language plpgsql as $$
begin
  new.search := florka_fold(new.username);
  new.name_key := florka_name_key(new.username);
  return new;
end $$;

-- Batch
update forum_users set name_key = florka_name_key(username) where id in (
  select id from forum_users where name_key = '' and florka_name_key(username) <> '' limit 2000 for update skip locked);
-- Batch
update forum_users set name_key = florka_name_key(username) where id in (
  select id from forum_users where name_key = '' and florka_name_key(username) <> '' limit 500);
-- Who has had such a name for longest holds the key; the others keep their names beside it. No key has a blank.
-- Batch
update forum_users set name_key = name_key || ' ' || id where id in (
  select id from (select id, row_number() over (partition by name_key order by created_at, id) as place
    from forum_users where name_key not like '% %') same where place > 1 limit 2000);
create unique index concurrently if not exists forum_users_name_key on forum_users (name_key);

create or replace function on_user_created() returns trigger language plpgsql as $$
declare
  wanted text := nullif(btrim(new.username), '');
  chosen text;
begin
  -- Without a chosen name: 'user_' and 8 random characters; a clash draws again.
  for attempt in 1..20 loop
    chosen := coalesce(wanted, 'user_' || substr(md5(gen_random_uuid()::text), 1, 8));
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
