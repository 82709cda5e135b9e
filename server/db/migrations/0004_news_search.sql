-- Search of the news: the folded words of each item, made when it is written. Folding 10,000 long items for every search
-- takes seconds; reading what is already folded takes milliseconds.
-- Step: expand; safe while the old server still runs. Undo: alter table news drop column search.

alter table news
  add column search text generated always as
    (florka_fold(regexp_replace(replace(title || ' ' || author_name || ' ' || content, '*', ''), '\s+', ' ', 'g'))) stored;
