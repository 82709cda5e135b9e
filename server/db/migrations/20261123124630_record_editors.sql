-- Who has the form of a record open now, so that a colleague knows before both have typed. Gone within a minute and a half of the last sign.
-- Step: expand; safe while the old server still runs. Undo: drop table record_editors;

create table record_editors (
  kind text not null,
  record_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  since timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (kind, record_id, user_id)
);
create index record_editors_user on record_editors (user_id);
create index record_editors_seen on record_editors (seen_at);
