-- The daily comparison of images with their files reads both in the order of their names, a round at a time, whatever the order of
-- the database's language is.
-- Step: expand; safe while the old server still runs, which does not use it. Undo: drop the index.
-- Mode: online

create index concurrently if not exists media_in_order on media (name collate "C") where deleted_at is null;
