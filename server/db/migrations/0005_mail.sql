-- Mail: what is to be sent, written in the transaction that causes it; the job queue delivers it.
-- Step: expand. Undo: drop table mails.

create table mails (
  -- Also the left part of the Message-ID, so a mail that is sent twice is recognised as one.
  id uuid primary key default gen_random_uuid(),
  to_address text not null check (to_address ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  locale text not null check (locale in ('es', 'en')),
  template text not null,
  data jsonb not null default '{}',
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed')),
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index mails_open on mails (created_at) where status <> 'sent';
