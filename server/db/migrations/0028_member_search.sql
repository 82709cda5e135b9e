-- Members are found by a column that a trigger fills, where 0025 once made a computed one: adding that wrote the table anew.
-- Databases with either text of 0025 are the same from here on.
-- Step: expand; safe while the old server still runs, which never writes this column.
-- Mode: online
-- Undo: nothing; the trigger computes the same value.

create or replace function on_forum_user_named() returns trigger language plpgsql as $$
begin
  new.search := florka_fold(new.username);
  return new;
end $$;
create or replace trigger forum_user_named before insert or update of username on forum_users
  for each row execute function on_forum_user_named();
-- Keeps the values, and only notes that they are computed no more.
-- If: exists (select 1 from pg_attribute where attrelid = 'forum_users'::regclass and attname = 'search' and attgenerated = 's')
alter table forum_users alter column search drop expression, alter column search set default '';
