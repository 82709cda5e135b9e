-- Accounts: sign-in tables (owned by Better Auth, columns mapped in server/domains/auth/better-auth.ts), profiles and roles.
-- Step: first. Undo: drop the database.

create table users (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  image text,
  -- What the person typed at sign-up; the profile trigger below reads both.
  username text,
  request_moderator boolean not null default false,
  -- An operator's approval; says nothing about who owns the mailbox.
  confirmed_at timestamptz,
  confirmed_by uuid references users (id) on delete set null,
  banned_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index users_created on users (created_at desc, id);

create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

create table accounts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint accounts_once_a_provider unique (provider_id, account_id)
);
create index accounts_user on accounts (user_id);

create table verifications (
  id uuid primary key default gen_random_uuid(),
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);

-- The public face of a member. `wallet_address` is never an e-mail: a real wallet or 'user_' + id.
create table forum_users (
  id uuid primary key default gen_random_uuid(),
  username text not null check (char_length(username) between 1 and 60),
  wallet_address text not null check (wallet_address !~ '@'),
  -- Null for a legacy profile that nobody has claimed yet.
  new_auth_user_id uuid unique references users (id) on delete set null,
  migration_status text not null default 'completed' check (migration_status in ('pending', 'completed')),
  -- E-mail kept for a legacy profile only, to prove ownership when it is claimed.
  legacy_email text check (legacy_email = lower(legacy_email)),
  hide_presence boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index forum_users_username on forum_users (lower(username));

create table user_roles (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique references users (id) on delete cascade,
  role text not null default 'user' check (role in ('user', 'moderator', 'admin')),
  moderator_request_status text not null default 'approved'
    check (moderator_request_status in ('approved', 'pending', 'rejected')),
  requested_at timestamptz,
  assigned_at timestamptz,
  assigned_by uuid references users (id) on delete set null
);
create index user_roles_role on user_roles (role);
create index user_roles_pending on user_roles (requested_at) where moderator_request_status = 'pending';

create table admin_profiles (
  id uuid primary key references users (id) on delete cascade,
  role text not null default 'admin' check (role in ('admin')),
  created_at timestamptz not null default now()
);

-- Invitations only: a row here gives no right until its owner proves the mailbox and claims it.
create table admin_users (
  id uuid primary key default gen_random_uuid(),
  email text not null unique check (email = lower(email)),
  invited_by uuid references users (id) on delete set null,
  claimed_by uuid references users (id) on delete set null,
  claimed_at timestamptz,
  created_at timestamptz not null default now()
);

-- Same statement as the insert into users, so profile and role exist whatever path created the account, or nothing does.
create function on_user_created() returns trigger language plpgsql as $$
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
  insert into audit_events (actor_id, actor_role, action, resource_type, resource_id, after)
  values (new.id, 'user', 'member.signed_up', 'member', new.id, jsonb_build_object('requestModerator', new.request_moderator));
  return null;
end $$;
create trigger user_created after insert on users for each row execute function on_user_created();
