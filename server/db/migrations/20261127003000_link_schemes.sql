-- Links are accepted with their scheme in any case, as browsers and all forms accept them: "HTTPS://example.org" in a form of a
-- request could not become a link of its project.
-- Step: expand; the checks allow more than before, and the old server writes nothing that they refuse.
-- Undo: make the former checks again, not valid.

alter table projects
  drop constraint projects_website_url_check,
  add constraint projects_website_url_check check (website_url ~* '^https?://') not valid,
  drop constraint projects_telegram_url_check,
  add constraint projects_telegram_url_check check (telegram_url ~* '^https?://') not valid,
  drop constraint projects_twitter_url_check,
  add constraint projects_twitter_url_check check (twitter_url ~* '^https?://') not valid,
  drop constraint projects_discord_url_check,
  add constraint projects_discord_url_check check (discord_url ~* '^https?://') not valid;
alter table voting_candidates
  drop constraint voting_candidates_website_url_check,
  add constraint voting_candidates_website_url_check check (website_url ~* '^https?://') not valid,
  drop constraint voting_candidates_telegram_url_check,
  add constraint voting_candidates_telegram_url_check check (telegram_url ~* '^https?://') not valid,
  drop constraint voting_candidates_twitter_url_check,
  add constraint voting_candidates_twitter_url_check check (twitter_url ~* '^https?://') not valid,
  drop constraint voting_candidates_discord_url_check,
  add constraint voting_candidates_discord_url_check check (discord_url ~* '^https?://') not valid;
alter table next_projects
  drop constraint next_projects_website_url_check,
  add constraint next_projects_website_url_check check (website_url ~* '^https?://') not valid,
  drop constraint next_projects_telegram_url_check,
  add constraint next_projects_telegram_url_check check (telegram_url ~* '^https?://') not valid,
  drop constraint next_projects_twitter_url_check,
  add constraint next_projects_twitter_url_check check (twitter_url ~* '^https?://') not valid,
  drop constraint next_projects_discord_url_check,
  add constraint next_projects_discord_url_check check (discord_url ~* '^https?://') not valid;
