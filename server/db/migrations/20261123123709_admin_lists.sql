-- How an admin keeps a list of the back office: columns that are not shown, and named filters.
-- Step: expand; safe while the old server still runs. Undo: drop table admin_lists;

create table admin_lists (
  user_id uuid not null references users (id) on delete cascade,
  list text not null,
  hidden text[] not null default '{}',
  -- [{ "name": …, "query": … }]
  views jsonb not null default '[]',
  updated_at timestamptz not null default now(),
  primary key (user_id, list),
  constraint admin_lists_views check (jsonb_typeof(views) = 'array' and pg_column_size(views) < 40000),
  constraint admin_lists_hidden check (cardinality(hidden) <= 50)
);
