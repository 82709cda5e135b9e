-- For which launch a tab of a member waits, in its last hour.
-- Step: expand; safe while the old server still runs. Undo: alter table user_connections drop column waits_for.

-- No reference: a tab is forgotten within minutes, and waiting for what is gone counts nowhere.
alter table user_connections add column waits_for uuid;
