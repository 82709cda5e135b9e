-- When a session was last used, to the minute: updated_at only says when it was last prolonged, once a day. Null until its
-- first use from here on; then updated_at is all that is known.
-- Step: expand; safe while the old server still runs, which leaves the column alone.
-- Undo: drop the column.

alter table sessions add column last_used_at timestamptz;
