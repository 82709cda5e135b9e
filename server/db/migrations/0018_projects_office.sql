-- Projects and NEXT projects in the back office: lists and searches stay flat at 100,000 rows, and an address in the trash
-- may be given to a new record.
-- Step: expand; safe while the old server still runs. The two `search` columns rewrite their tables once.
-- Undo: drop what is added here; make the two unique rules over all rows again, which needs a trash without doubles.

alter table projects
  add column search text not null generated always as (florka_fold(token_name || ' ' || token_symbol || ' ' || token_address)) stored,
  drop constraint projects_token_address_key;
create unique index projects_address on projects (token_address) where deleted_at is null;
create index projects_admin_name on projects (lower(token_name), id) where deleted_at is null;
create index projects_admin_place on projects (order_index, id) where deleted_at is null;
create index projects_admin_updated on projects (updated_at desc, id) where deleted_at is null;
create index projects_admin_status on projects (status, created_at desc, id) where deleted_at is null;
create index projects_trash on projects (deleted_at) where deleted_at is not null;

alter table next_projects
  add column search text not null generated always as
    (florka_fold(token_name || ' ' || token_symbol || ' ' || coalesce(token_address, ''))) stored;
drop index next_projects_address;
create unique index next_projects_address on next_projects (token_address) where token_address is not null and deleted_at is null;
create index next_projects_admin_newest on next_projects (created_at desc, id) where deleted_at is null;
create index next_projects_admin_name on next_projects (lower(token_name), id) where deleted_at is null;
create index next_projects_admin_status on next_projects (status, order_index, id) where deleted_at is null;
create index next_projects_trash on next_projects (deleted_at) where deleted_at is not null;
