-- What the team notes about a member, and what finds a person's mails and publication requests by the mailbox.
-- Step: expand; safe while the old server still runs.
-- Mode: online
-- Undo: drop the table and the indexes.

create table if not exists staff_notes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  text text not null check (length(text) between 1 and 2000),
  created_at timestamptz not null default now(),
  created_by uuid references users (id) on delete set null
);
create index concurrently if not exists staff_notes_member on staff_notes (user_id, created_at desc);
create index concurrently if not exists staff_notes_author on staff_notes (created_by) where created_by is not null;
create index concurrently if not exists mails_to on mails (to_address, created_at desc);
create index concurrently if not exists project_submissions_mailbox on project_submissions (lower(submitter_email));
create index concurrently if not exists token_creation_submissions_mailbox on token_creation_submissions (lower(petitioner_email));
