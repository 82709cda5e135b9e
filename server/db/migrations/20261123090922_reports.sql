-- Figures of the back office by day and week, summed ahead: their screens read some hundred rows, however many votes there are.
-- Step: expand; safe while the old server still runs.
-- Undo: drop the tables.

-- Weeks (by their Monday, UTC) in which a member voted; grows with each vote of another week, and goes with the account.
create table voter_weeks (
  user_id uuid not null references users (id) on delete cascade,
  week date not null check (extract(isodow from week) = 1),
  primary key (user_id, week)
);
-- Of those whose first week was `cohort`, how many voted in `week`.
create table voter_retention (
  cohort date not null,
  week date not null check (week >= cohort),
  voters integer not null check (voters > 0),
  primary key (cohort, week)
);
-- What happened on a UTC day, by a name of contract/admin/reports.ts.
create table report_days (
  day date not null,
  name text not null check (name ~ '^[a-z_]{3,40}$'),
  n integer not null check (n >= 0),
  primary key (day, name)
);
-- The last vote that was looked at.
create table report_marks (
  name text primary key,
  mark bigint not null
);
