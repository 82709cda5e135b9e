-- Passwords that the program made: until when they count, unless their owner chooses another one.
-- Step: expand; safe while the old server still runs: it neither reads nor writes the column, and a password that it changes meanwhile
-- would only have to be changed once more.
-- Mode: online
-- Undo: alter table accounts drop column initial_until;
set lock_timeout = '3s';
alter table accounts add column if not exists initial_until timestamptz;
