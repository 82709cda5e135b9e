-- Media: one row per uploaded image. The files lie in the storage (disk or S3) under names made of `name`.
-- Step: expand; safe while the old server still runs. Undo: drop table media.

create table media (
  id uuid primary key default gen_random_uuid(),
  -- 128 random bits: who does not know the name can't find the files.
  name text not null unique check (name ~ '^[0-9a-f]{32}$'),
  bucket text not null check (bucket in ('token-images', 'project-images', 'voting-candidate-images')),
  owner_user_id uuid references users (id) on delete set null,
  owner_draft_id uuid references token_creation_submissions (id) on delete set null,
  -- Temporary until something shows it; temporary ones are removed after two days.
  status text not null default 'temporary' check (status in ('temporary', 'used')),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  frames integer not null check (frames > 0),
  -- Of the file as it was sent.
  bytes integer not null check (bytes > 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  -- [{file, type, width, height, bytes}]
  variants jsonb not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  -- Set before the files go; the row goes after them.
  deleted_at timestamptz,
  constraint media_used check ((status = 'used') = (used_at is not null))
);
create index media_temporary on media (created_at) where status = 'temporary' and deleted_at is null;
create index media_deleted on media (deleted_at) where deleted_at is not null;
create index media_owner_user on media (owner_user_id);
create index media_owner_draft on media (owner_draft_id);
