-- The furthest step that the wizard reached with a request, for the funnel by step.
-- Step: expand; a server of before writes no step, and its requests count as only begun until they have an order.
-- Mode: online
-- Undo: alter table token_creation_submissions drop column furthest_step.

alter table token_creation_submissions add column if not exists furthest_step smallint;
alter table token_creation_submissions drop constraint if exists token_creation_submissions_furthest_step;
alter table token_creation_submissions add constraint token_creation_submissions_furthest_step
  check (furthest_step between 1 and 5) not valid;
alter table token_creation_submissions validate constraint token_creation_submissions_furthest_step;
