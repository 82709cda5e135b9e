-- The mailbox of a token request is an address that mail can be sent to, or none: the form stores what is typed in between only in
-- token_data. Before, half an address in the column made every later mail fail, and with it the transaction that recorded money.
-- Step: expand; safe while the old server still runs: what it stores is corrected instead of refused.
-- Mode: online
-- Undo: drop the trigger and its function.

create or replace function keep_whole_mailbox() returns trigger language plpgsql as $$
begin
  -- The form of contract/limits.ts (EMAIL_FORM); mails.to_address accepts all of these.
  if new.petitioner_email !~ '^[^@[:space:]]+@[^@[:space:]]+\.[^@[:space:]]+$' then
    new.petitioner_email := case when tg_op = 'UPDATE' then old.petitioner_email end;
  end if;
  return new;
end $$;

create or replace trigger token_creation_submissions_mailbox before insert or update of petitioner_email on token_creation_submissions
  for each row execute function keep_whole_mailbox();

-- Batch
update token_creation_submissions set petitioner_email = null where id in (
  select id from token_creation_submissions
  where petitioner_email !~ '^[^@[:space:]]+@[^@[:space:]]+\.[^@[:space:]]+$' limit 500);
