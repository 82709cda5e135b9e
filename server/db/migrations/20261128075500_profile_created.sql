-- Whether a profile shows the tokens that its member has proven to have created.
-- Step: expand; safe while the old server still runs. Undo: alter table profile_settings drop column show_created.

alter table profile_settings add column show_created boolean not null default false;
