-- Texts of the pages about the site (about, terms, privacy and so on), as operators write them. Every version is kept: what a
-- visitor agreed to last year can be shown. A page without a row shows the text that is built in.
-- Step: expand; safe while the old server still runs. Undo: drop table site_page_versions; drop function site_page_is_kept();

create table site_page_versions (
  page text not null,
  version integer not null check (version > 0),
  title_es text not null,
  body_es text not null,
  title_en text not null,
  body_en text not null,
  -- The older version whose texts these are; null for texts that were written.
  restored_from integer,
  created_at timestamptz not null default now(),
  created_by uuid references users (id) on delete set null,
  primary key (page, version),
  constraint site_page_versions_page
    check (page in ('about', 'how-voting-works', 'prices', 'terms', 'privacy', 'risk', 'contact')),
  constraint site_page_versions_titles check (length(title_es) between 1 and 120 and length(title_en) between 1 and 120),
  constraint site_page_versions_bodies check (length(body_es) between 1 and 30000 and length(body_en) between 1 and 30000),
  constraint site_page_versions_restored check (restored_from > 0 and restored_from < version)
);
create index site_page_versions_by on site_page_versions (created_by) where created_by is not null;

-- A published text is never edited or removed; only its writer's account may go.
create function site_page_is_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.created_by is null
    and (new.page, new.version, new.title_es, new.body_es, new.title_en, new.body_en, new.created_at)
      = (old.page, old.version, old.title_es, old.body_es, old.title_en, old.body_en, old.created_at)
    and new.restored_from is not distinct from old.restored_from
  then
    return new;
  end if;
  raise exception 'versions of site pages are kept as they were published';
end $$;
create trigger site_page_is_kept before update or delete on site_page_versions
  for each row execute function site_page_is_kept();
