-- How often pages were shown, by UTC day and kind of page: counts only, nothing about who looked.
-- Step: expand; safe while the old server still runs.
-- Undo: drop the table.

-- `arrivals` are those of the views that came from outside the site.
create table page_views (
  day date not null,
  kind text not null check (kind ~ '^[a-z]{2,20}$'),
  views bigint not null check (views > 0),
  arrivals bigint not null check (arrivals between 0 and views),
  primary key (day, kind)
);
