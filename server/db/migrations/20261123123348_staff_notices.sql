-- What staff was mailed of, so that nothing is mailed twice: items of the inbox past their deadline, and reports of a week.
-- Step: expand; safe while the old server still runs. Undo: drop table staff_notices;

create table staff_notices (
  -- As the inbox names it, or 'week'.
  source text not null,
  -- Of the item, or the Monday of the week.
  item_id text not null,
  -- Since when the item waited when it was told: one that changed and waits again is told again.
  since timestamptz not null,
  notified_at timestamptz not null default now(),
  primary key (source, item_id)
);
