-- The library of images: where each is shown, kept by triggers, and a trash of 30 days for what nothing shows.
-- Step: expand; safe while the old server still runs, which would show what is in the trash.
-- Mode: online
-- Undo: drop table media_uses, the triggers …_media_uses, media_starts and image_trashed, the functions and the two columns.

-- What shows an image, by its name in any address of ours within the columns that people fill.
create table if not exists media_uses (
  place text not null check (place in ('project', 'candidate', 'next_project', 'news', 'page', 'post', 'submission', 'request',
    'member', 'deliverable')),
  -- Id of the record; of a page its name.
  record text not null,
  name text not null,
  primary key (place, record, name)
);
create index if not exists media_uses_name on media_uses (name);

alter table media add column if not exists uses integer not null default 0;
-- In the trash since then; removed 30 days later.
alter table media add column if not exists trashed_at timestamptz;
create index concurrently if not exists media_library on media (created_at desc, id desc) where deleted_at is null and trashed_at is null;
create index concurrently if not exists media_unused on media (created_at desc, id desc)
  where deleted_at is null and trashed_at is null and uses = 0;
create index concurrently if not exists media_trash on media (trashed_at desc, id desc)
  where deleted_at is null and trashed_at is not null;

create or replace function media_names(record jsonb, columns text[]) returns text[] language sql immutable as $$
  select coalesce(array_agg(distinct found[1]), '{}')
  from unnest(columns) as c, regexp_matches(coalesce(record ->> c, ''), '/media/([0-9a-f]{32})', 'g') as found
$$;
-- Arguments: the place, the column of the record's id, and the columns that may hold addresses.
create or replace function media_uses_follow() returns trigger language plpgsql as $$
declare
  columns text[] := tg_argv[2:];
  before text[] := '{}';
  now_shown text[] := '{}';
  whose text;
begin
  if tg_op <> 'INSERT' then
    before := media_names(to_jsonb(old), columns);
    whose := to_jsonb(old) ->> tg_argv[1];
  end if;
  if tg_op <> 'DELETE' then
    now_shown := media_names(to_jsonb(new), columns);
    whose := to_jsonb(new) ->> tg_argv[1];
  end if;
  if before = now_shown then
    return null;
  end if;
  delete from media_uses where place = tg_argv[0] and record = whose and name = any (before) and name <> all (now_shown);
  insert into media_uses (place, record, name)
    select tg_argv[0], whose, shown from unnest(now_shown) as shown where shown <> all (before) order by shown
    on conflict do nothing;
  return null;
end $$;
create or replace function media_uses_counted() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update media set uses = uses + 1 where name = new.name;
  else
    update media set uses = uses - 1 where name = old.name;
  end if;
  return null;
end $$;
-- A restore may bring what shows an image before the image itself.
create or replace function media_starts_counted() returns trigger language plpgsql as $$
begin
  new.uses := (select count(*) from media_uses u where u.name = new.name);
  return new;
end $$;
create or replace trigger media_uses_counted after insert or delete on media_uses for each row execute function media_uses_counted();
create or replace trigger media_starts before insert on media for each row execute function media_starts_counted();

create or replace trigger projects_media_uses after insert or delete or update of image_url on projects
  for each row execute function media_uses_follow('project', 'id', 'image_url');
create or replace trigger voting_candidates_media_uses after insert or delete or update of image_url on voting_candidates
  for each row execute function media_uses_follow('candidate', 'id', 'image_url');
create or replace trigger next_projects_media_uses after insert or delete or update of image_url on next_projects
  for each row execute function media_uses_follow('next_project', 'id', 'image_url');
create or replace trigger news_media_uses after insert or delete or update of image_url, content on news
  for each row execute function media_uses_follow('news', 'id', 'image_url', 'content');
-- An earlier version of a page can come back.
create or replace trigger site_page_versions_media_uses after insert on site_page_versions
  for each row execute function media_uses_follow('page', 'page', 'body_es', 'body_en');
create or replace trigger forum_post_images_media_uses after insert or delete or update of url on forum_post_images
  for each row execute function media_uses_follow('post', 'post_id', 'url');
create or replace trigger project_submissions_media_uses after insert or delete or update of project_data on project_submissions
  for each row execute function media_uses_follow('submission', 'id', 'project_data');
create or replace trigger token_requests_media_uses after insert or delete or update of token_data on token_creation_submissions
  for each row execute function media_uses_follow('request', 'id', 'token_data');
create or replace trigger users_media_uses after insert or delete or update of image on users
  for each row execute function media_uses_follow('member', 'id', 'image');
create or replace trigger deliverables_media_uses after insert or delete or update of evidence on deliverables
  for each row execute function media_uses_follow('deliverable', 'id', 'evidence');

-- What was there before: from here on the triggers follow every change.
insert into media_uses (place, record, name)
  select 'project', id::text, unnest(media_names(jsonb_build_object('a', image_url), '{a}')) from projects
  union select 'candidate', id::text, unnest(media_names(jsonb_build_object('a', image_url), '{a}')) from voting_candidates
  union select 'next_project', id::text, unnest(media_names(jsonb_build_object('a', image_url), '{a}')) from next_projects
  union select 'news', id::text, unnest(media_names(jsonb_build_object('a', image_url, 'b', content), '{a,b}')) from news
  union select 'page', page, unnest(media_names(jsonb_build_object('a', body_es, 'b', body_en), '{a,b}')) from site_page_versions
  union select 'post', post_id::text, unnest(media_names(jsonb_build_object('a', url), '{a}')) from forum_post_images
  union select 'submission', id::text, unnest(media_names(jsonb_build_object('a', project_data), '{a}')) from project_submissions
  union select 'request', id::text, unnest(media_names(jsonb_build_object('a', token_data), '{a}')) from token_creation_submissions
  union select 'member', id::text, unnest(media_names(jsonb_build_object('a', image), '{a}')) from users where image is not null
  union select 'deliverable', id::text, unnest(media_names(jsonb_build_object('a', evidence), '{a}')) from deliverables
    where evidence is not null
  on conflict do nothing;

-- Caches in front forget it at once.
create or replace trigger image_trashed after update of trashed_at on media
  for each row when (old.trashed_at is null and new.trashed_at is not null) execute function on_image_gone();
