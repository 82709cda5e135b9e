-- Where readiness tries whether the disk has room again; always empty, for what it writes is undone. Before, that was a
-- temporary table, which the role of the site may not make.
-- Step: expand; safe while the old server still runs. Undo: drop table disk_probe.

create table disk_probe (filler text not null);
