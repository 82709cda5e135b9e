-- What follows a round is what the calendar of the settings says, unless an admin said otherwise for this one.
-- Step: expand; safe while the old server still runs: it leaves the column at its default.
-- Undo: alter table voting_rounds drop column next_by_calendar.

alter table voting_rounds add column next_by_calendar boolean not null default true;
-- The calendar of before was 15 days and another round: whatever differs was said.
update voting_rounds set next_by_calendar = false where status = 'open' and next_days is distinct from 15;
