-- What one of the staff may do to another: a mailbox moves with two, and who proved a mailbox once keeps the second factors.
-- Step: expand; safe while the old server still runs. The check on purposes is widened without a scan.
-- Undo: drop the trigger, its function and the columns; narrow the check.

-- Accounts whose mailbox counts as unproven now, but was proven before. No backfill: for the others email_verified says it.
alter table users add column mailbox_proved boolean not null default false;
create function on_mailbox_unproven() returns trigger language plpgsql as $$
begin
  new.mailbox_proved := true;
  return new;
end $$;
create trigger mailbox_unproven before update of email_verified on users for each row
  when (old.email_verified and not new.email_verified) execute function on_mailbox_unproven();

-- Who of the staff asked for the new mailbox of a colleague; counts while they are an admin, so it needs no reference.
alter table account_tokens add column asked_by uuid;
alter table account_tokens drop constraint account_tokens_purpose_check;
alter table account_tokens add constraint account_tokens_purpose_check check (purpose in
  ('verify_email', 'change_email', 'reset_password', 'sign_in', 'second_factor', 'staff_email')) not valid;
