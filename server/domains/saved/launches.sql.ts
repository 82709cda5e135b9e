import { boolean, int4, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';

/** Public NEXT projects whose candidate won its round, and whose followers do not know yet; locked. */
export const lockNewWinners = statement({
  parameters: {},
  row: { nextId: uuid, candidateId: uuid, name: text },
  text: () => `
    select n.id as "nextId", c.id as "candidateId", c.token_name as name from next_projects n
    join voting_rounds r on r.id = n.voting_round_id join voting_candidates c on c.id = r.winner_candidate_id
    where not n.told_promoted and n.is_active and n.status in ('published', 'launched') and n.deleted_at is null
    order by n.id for no key update of n skip locked`,
});

/** Public NEXT projects of whose launch followers know another time, or not that it happened; locked. */
export const lockChangedLaunches = statement({
  parameters: { now: timestamptz, most: int4 },
  /** `at`: the time as text to the microsecond, or ''. */
  row: { id: uuid, name: text, launched: boolean, was: boolean, at: text, moved: boolean },
  text: (at) => `
    with known as (
      select id, token_name, told_launched, told_launch_at, coalesce(countdown_end, launch_date) as at,
        status = 'launched' or coalesce(coalesce(countdown_end, launch_date) <= ${at.now}, false) as launched
      from next_projects where is_active and status in ('published', 'launched') and deleted_at is null
    )
    select k.id, k.token_name as name, k.launched, k.told_launched as was, coalesce(k.at::text, '') as at,
      k.at is not null and k.at is distinct from k.told_launch_at as moved
    from next_projects n join known k using (id)
    where k.at is distinct from k.told_launch_at or k.launched <> k.told_launched
    order by k.id limit ${at.most} for no key update of n skip locked`,
});

/** Followers of the candidate know that it won. */
export const notePromoted = command({
  parameters: { id: uuid },
  text: (at) => `update next_projects set told_promoted = true where id = ${at.id}`,
});

/** Followers know when it launches as it stands now, and whether it did. */
export const noteLaunch = command({
  parameters: { id: uuid, launched: boolean },
  text: (
    at,
  ) => `update next_projects set told_launch_at = coalesce(countdown_end, launch_date), told_launched = ${at.launched}
    where id = ${at.id}`,
});
