-- Mails about saved tokens are written in the language in which they were asked for.
-- Step: expand; safe while the old server still runs. Undo: alter table saved_tokens drop column notify_locale;
alter table saved_tokens add column notify_locale text not null default 'es' check (notify_locale in ('es', 'en'));
