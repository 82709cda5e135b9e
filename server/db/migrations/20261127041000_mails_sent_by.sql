-- How a mail was sent: to a mail server, or as a file of an installation that has none. Both were "sent", so the back office said of
-- mails that reach nobody that a server had taken them.
-- Step: expand; the old server does not write the column, whose null means that it is not known.
-- Undo: alter table mails drop column sent_by;

alter table mails add column sent_by text;
alter table mails add constraint mails_sent_by_check check (sent_by in ('smtp', 'file')) not valid;
