-- Which project, candidate or NEXT project was made of the token of which request.
-- Step: expand; safe while the old server still runs. Undo: drop what is added here.

create table showcased_tokens (
  request_id uuid not null references token_creation_submissions (id) on delete restrict,
  project_id uuid unique references projects (id) on delete cascade,
  candidate_id uuid unique references voting_candidates (id) on delete cascade,
  next_project_id uuid unique references next_projects (id) on delete cascade,
  showcased_at timestamptz not null,
  showcased_by uuid references users (id) on delete set null,
  constraint showcased_tokens_one_target check (num_nonnulls(project_id, candidate_id, next_project_id) = 1)
);
create index showcased_tokens_request on showcased_tokens (request_id);
-- Pages of tokens ask by address.
create index token_creations_public on token_creations (lower(address)) where state = 'completed';
create index showcased_tokens_by on showcased_tokens (showcased_by) where showcased_by is not null;
