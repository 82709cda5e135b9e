-- The private link of an order can be replaced, and ends after a year in which nobody used it. Links of before count as used now.
-- Step: expand; safe while the old server still runs, which knows only the first link of each.
-- Undo: drop the columns; the first links work again.

alter table token_creation_submissions add column link_generation integer not null default 1;
alter table token_creation_submissions add column link_used_at timestamptz not null default now();
