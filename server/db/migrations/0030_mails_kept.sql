-- A mail that was given up keeps what it says until somebody tries it again or drops it; one whose link or code has ended
-- meanwhile is never sent any more, and says so.
-- Step: expand; safe while the old server still runs, which leaves the new state alone.
-- Undo: set expired mails to failed, and make the old check again.

-- Without a look at every row: what the old check allowed, the new one allows too.
alter table mails drop constraint mails_status_check;
alter table mails add constraint mails_status_check check (status in ('queued', 'sent', 'failed', 'expired')) not valid;
