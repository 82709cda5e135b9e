-- Notifications about the work of the team.
-- Step: expand; safe while the old server still runs, whose lists would show the new kind without words.
-- Undo: delete the rows of kind 'staff', and put the checks back.

-- Without a look at every row: what the old checks allowed, the new ones allow too.
alter table notifications drop constraint if exists notifications_kind_check;
alter table notifications add constraint notifications_kind_check
  check (kind in ('replies', 'mentions', 'reactions', 'decisions', 'orders', 'follows', 'rounds', 'security', 'staff')) not valid;
alter table notification_settings drop constraint if exists notification_settings_kind_check;
alter table notification_settings add constraint notification_settings_kind_check
  check (kind in ('replies', 'mentions', 'reactions', 'decisions', 'orders', 'follows', 'rounds', 'security', 'staff')) not valid;
