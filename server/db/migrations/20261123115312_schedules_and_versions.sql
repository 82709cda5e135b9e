-- Records of the back office get a time to appear and to go, earlier versions, and links under which a draft can be read.
-- Step: expand; safe while the old server still runs. Undo: drop table record_schedules, record_versions, record_previews;
-- drop function record_version_is_kept();

-- What has yet to happen to a record. A moment that came is removed together with the change that it makes.
create table record_schedules (
  kind text not null,
  record_id uuid not null,
  publish_at timestamptz,
  expire_at timestamptz,
  updated_at timestamptz not null default now(),
  updated_by uuid references users (id) on delete set null,
  primary key (kind, record_id),
  constraint record_schedules_something check (publish_at is not null or expire_at is not null),
  constraint record_schedules_order check (expire_at > publish_at)
);
create index record_schedules_due on record_schedules (least(publish_at, expire_at));
create index record_schedules_by on record_schedules (updated_by) where updated_by is not null;

-- The texts of a record after each change of them, numbered as the record's own versions. They go with the record.
create table record_versions (
  kind text not null,
  record_id uuid not null,
  version integer not null check (version > 0),
  fields jsonb not null,
  -- The older version whose texts these are; null for texts that were written.
  restored_from integer,
  created_at timestamptz not null default now(),
  created_by uuid references users (id) on delete set null,
  primary key (kind, record_id, version),
  constraint record_versions_restored check (restored_from > 0 and restored_from < version)
);
create index record_versions_by on record_versions (created_by) where created_by is not null;

create function record_version_is_kept() returns trigger language plpgsql as $$
begin
  if new.created_by is null
    and (new.kind, new.record_id, new.version, new.fields, new.created_at)
      = (old.kind, old.record_id, old.version, old.fields, old.created_at)
    and new.restored_from is not distinct from old.restored_from
  then
    return new;
  end if;
  raise exception 'versions of records are kept as they were saved';
end $$;
create trigger record_version_is_kept before update on record_versions
  for each row execute function record_version_is_kept();

-- Links to something that is not public yet. Only the hash of the key is stored.
create table record_previews (
  key_hash bytea primary key,
  kind text not null,
  record_id uuid,
  ends_at timestamptz not null,
  created_at timestamptz not null default now(),
  created_by uuid references users (id) on delete set null
);
create index record_previews_end on record_previews (ends_at);
create index record_previews_by on record_previews (created_by) where created_by is not null;
