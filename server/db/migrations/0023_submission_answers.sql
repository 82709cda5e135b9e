-- What the team answers to a request for publication, in words for its applicant, and the record that was made of it.
-- Step: expand; safe while the old server still runs.
-- Undo: drop the three columns.

alter table project_submissions
  add column answer text,
  add column project_id uuid references projects (id) on delete set null,
  add column next_project_id uuid references next_projects (id) on delete set null,
  add constraint project_submissions_one_record check (project_id is null or next_project_id is null);
-- For the purge of the trash, which asks who still points at a record; a record comes of one request.
create unique index project_submissions_project on project_submissions (project_id) where project_id is not null;
create unique index project_submissions_next_project on project_submissions (next_project_id)
  where next_project_id is not null;
