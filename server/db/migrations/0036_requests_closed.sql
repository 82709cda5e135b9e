-- Requests for tokens that the team closed: delivered by hand, or not to be delivered.
-- Step: expand; safe while the old server still runs. Undo: drop the four columns.

alter table token_creation_submissions
  add column closed_at timestamptz,
  add column closed_as text,
  -- What the customer reads.
  add column closed_note text,
  -- Of a token that was delivered by hand, as the team says it.
  add column delivered_address text;

alter table token_creation_submissions add constraint token_creation_submissions_closed_as
  check (closed_as in ('delivered', 'cancelled')) not valid;
alter table token_creation_submissions add constraint token_creation_submissions_closed
  check (
    (closed_at is null) = (closed_as is null) and (closed_at is null) = (closed_note is null)
    and (delivered_address is not null) = (closed_as is not distinct from 'delivered')
  ) not valid;
