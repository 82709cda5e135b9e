-- Lists of the back office: searches find by parts of words, and every order and the trash have an index, so that a page
-- costs the same at 100,000 rows.
-- Step: expand; safe while the old server still runs. Undo: drop the indexes.

-- Search by any part of a word needs trigrams. A database that lacks them answers the same, only slower.
do $$ begin
  if exists (select 1 from pg_extension where extname = 'pg_trgm') then
    create index projects_part on projects using gin (search gin_trgm_ops);
    create index next_projects_part on next_projects using gin (search gin_trgm_ops);
    create index project_submissions_part on project_submissions using gin (search gin_trgm_ops);
    create index token_creation_submissions_part on token_creation_submissions using gin (search gin_trgm_ops);
    create index blockchain_networks_part on blockchain_networks
      using gin (florka_fold(name || ' ' || symbol || ' ' || key) gin_trgm_ops);
  end if;
end $$;

create index next_projects_launch on next_projects (launch_date, id) where deleted_at is null;
create index next_projects_launch_last on next_projects (launch_date desc nulls last, id) where deleted_at is null;
create index voting_candidates_newest on voting_candidates (created_at desc, id) where deleted_at is null;
create index voting_candidates_trash on voting_candidates (deleted_at) where deleted_at is not null;
create index voting_rounds_closed on voting_rounds (closed_at, id) where status = 'closed';
create index voting_rounds_closed_last on voting_rounds (closed_at desc nulls last, id) where status = 'closed';
create index news_updated on news (updated_at, id) where deleted_at is null;
create index news_trash on news (deleted_at) where deleted_at is not null;
create index blockchain_networks_newest on blockchain_networks (created_at, id) where deleted_at is null;
create index blockchain_networks_updated on blockchain_networks (updated_at, id) where deleted_at is null;
create index project_submissions_sender on project_submissions (lower(submitter_name), id);
create index project_submissions_reviewed on project_submissions (reviewed_at, id);
create index token_creation_submissions_updated on token_creation_submissions (updated_at desc, id);
create index token_creation_submissions_price on token_creation_submissions (plan_price_usd, id);
create index token_creation_submissions_price_down on token_creation_submissions (plan_price_usd desc, id);
create index token_creation_submissions_by_status on token_creation_submissions (status, id);
create index token_creation_submissions_by_status_down on token_creation_submissions (status desc, id);
create index token_creation_submissions_by_payment on token_creation_submissions (payment_status, id);
create index token_creation_submissions_by_payment_down on token_creation_submissions (payment_status desc, id);
create index project_submissions_by_status on project_submissions (status, id);
create index project_submissions_by_status_down on project_submissions (status desc, id);
