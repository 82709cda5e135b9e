-- Requests for publication and for tokens in the back office: answers of two admins never overwrite each other, and lists
-- and searches stay flat at 100,000 rows.
-- Step: expand; safe while the old server still runs. The two `search` columns rewrite their tables once.
-- Undo: drop what is added here.

alter table project_submissions
  add column version integer not null default 1,
  add column search text generated always as (florka_fold(coalesce(reference, '') || ' ' || coalesce(submitter_name, '')
    || ' ' || coalesce(submitter_email, '') || ' ' || coalesce(project_data ->> 'projectName', '') || ' '
    || coalesce(project_data ->> 'symbol', '') || ' ' || coalesce(project_data ->> 'address', ''))) stored;
create index project_submissions_list on project_submissions (created_at desc, id);
create index project_submissions_status on project_submissions (status, created_at desc);

alter table token_creation_submissions
  add column search text generated always as (florka_fold(coalesce(token_data ->> 'tokenName', '') || ' '
    || coalesce(token_data ->> 'tokenSymbol', '') || ' ' || coalesce(petitioner_email, '') || ' '
    || coalesce(petitioner_telegram, '') || ' ' || coalesce(owner_wallet_address, ''))) stored;
create index token_creation_submissions_list on token_creation_submissions (created_at desc, id);
create index token_creation_submissions_status on token_creation_submissions (status, created_at desc);
