-- Who saved a candidate follows the NEXT project that it became. Since this version the graduation sees to it; this does it for earlier
-- graduations, of which the saved candidate was never heard of again.
-- Step: expand; safe while the old server still runs: it reads NEXT projects as saved tokens.
-- Mode: online
-- Undo: none; who saved a graduated candidate sees its NEXT project among the saved tokens.

-- Batch
with graduated as (
  select distinct on (c.id) c.id as candidate_id, n.id as next_id
  from voting_rounds r join voting_candidates c on c.id = r.winner_candidate_id join next_projects n on n.voting_round_id = r.id
  where not c.is_active order by c.id, r.number desc
), carried as (
  delete from saved_tokens s using graduated g where g.candidate_id = s.candidate_id and s.ctid in (
    select t.ctid from saved_tokens t join graduated w on w.candidate_id = t.candidate_id limit 1000)
  returning s.user_id, g.next_id, s.notify, s.notify_locale, s.saved_at
)
insert into saved_tokens as s (user_id, next_project_id, notify, notify_locale, saved_at)
select user_id, next_id, notify, notify_locale, saved_at from carried order by user_id
on conflict on constraint saved_tokens_once do update set notify = s.notify or excluded.notify,
  notify_locale = case when s.notify then s.notify_locale else excluded.notify_locale end;
