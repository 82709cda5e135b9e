-- Every group of votes changes totals of candidates, and inserts votes with `on conflict do update`. Triggers that have nothing to do with
-- either compared the records of each candidate, and looked for votes under review whose state changed. Now they name their columns, and
-- the last one returns at once when no vote changed.
-- Step: expand; the triggers do the same for every change that they are about.
-- Undo: create the triggers and the function again as in 20261123163700, 20261123202245 and 20261127002500.

create or replace function on_votes_changed_state() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from became) then return null; end if;
  update vote_review_votes r set waiting = case when n.state = 'under_review' then n.generation end
  from became n
  where r.vote_id = n.id and r.waiting is distinct from case when n.state = 'under_review' then n.generation end;
  return null;
end $$;
create or replace trigger candidates_changed_ends_proofs after update of token_name, token_symbol, token_slug, contract_address, network,
  image_url, website_url, telegram_url, twitter_url, discord_url on voting_candidates for each row
  when ((old.token_name, old.token_symbol, old.token_slug, old.contract_address, old.network, old.image_url,
      old.website_url, old.telegram_url, old.twitter_url, old.discord_url)
    is distinct from (new.token_name, new.token_symbol, new.token_slug, new.contract_address, new.network, new.image_url,
      new.website_url, new.telegram_url, new.twitter_url, new.discord_url))
  execute function end_proofs_of_changed();
create or replace trigger candidates_trashed after update of deleted_at on voting_candidates
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function change_counter('candidates', '-1');
create or replace trigger candidates_restored after update of deleted_at on voting_candidates
  for each row when (old.deleted_at is not null and new.deleted_at is null) execute function change_counter('candidates', 1);
