-- A setting may show an image: the site's own mark. The library knows it as it knows records.
-- Step: expand; a server of before never stores such a setting.
-- Mode: online
-- Undo: drop trigger settings_media_uses on settings; delete from media_uses where place = 'setting'; the check without 'setting'.

alter table media_uses drop constraint if exists media_uses_place_check;
alter table media_uses add constraint media_uses_place_check check (place in ('project', 'candidate', 'next_project', 'news',
  'page', 'post', 'submission', 'request', 'member', 'deliverable', 'setting')) not valid;
alter table media_uses validate constraint media_uses_place_check;

create or replace trigger settings_media_uses after insert or delete or update of value on settings
  for each row execute function media_uses_follow('setting', 'key', 'value');
