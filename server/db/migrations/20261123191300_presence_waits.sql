-- For which launch a tab of a member waits, in its last hour.
-- Step: expand; safe while the old server still runs.
-- Mode: online
-- Undo: alter table user_connections drop column waits_for.

-- No reference: a tab is forgotten within minutes, and waiting for what is gone counts nowhere.
alter table user_connections add column if not exists waits_for uuid;
-- Every open page of a launch asks for the count.
create index concurrently if not exists user_connections_waits on user_connections (waits_for) where waits_for is not null;
