-- What followers of a NEXT project were told of its launch: a regular job compares it with what is true and sends the mails.
-- Step: expand; safe while the old server still runs. Undo: drop the two columns.

alter table next_projects
  -- The end of the countdown, else the date, as followers know it.
  add column told_launch_at timestamptz,
  add column told_launched boolean not null default false;
-- Nobody is told of what happened before there were notices.
update next_projects set told_launch_at = coalesce(countdown_end, launch_date),
  told_launched = status = 'launched' or coalesce(coalesce(countdown_end, launch_date) <= now(), false);
