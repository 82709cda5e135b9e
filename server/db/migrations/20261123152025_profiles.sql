-- What members show of themselves, and whom they muted or blocked. Both go with the account.
-- Step: expand; safe while the old server still runs. Undo: drop table member_restrictions; drop table profile_settings;

create table profile_settings (
  user_id uuid primary key references users (id) on delete cascade,
  -- The page is there although nothing public was written.
  show_page boolean not null default false,
  -- Since when and how often the member votes; never for whom.
  show_votes boolean not null default false,
  show_follows boolean not null default false,
  changed_at timestamptz not null
);

create table member_restrictions (
  member_id uuid not null references users (id) on delete cascade,
  other_id uuid not null references users (id) on delete cascade,
  level text not null check (level in ('mute', 'block')),
  since timestamptz not null,
  primary key (member_id, other_id),
  check (member_id <> other_id)
);
create index member_restrictions_other on member_restrictions (other_id);
