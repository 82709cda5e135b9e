-- Sessions are found by their former token too.
-- Mode: online
-- Step: expand; safe while the old server still runs. Undo: drop the index.

create index concurrently if not exists sessions_former_token on sessions (former_token) where former_token is not null;
