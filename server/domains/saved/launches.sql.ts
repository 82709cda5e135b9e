import { boolean, int4, oneOf, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';

/** Public NEXT projects whose candidate won its round, and whose followers were not notified yet; locked. */
export const lockNewWinners = statement({
  parameters: {},
  row: { nextId: uuid, candidateId: uuid, name: text },
  text: () => `
    select n.id as "nextId", c.id as "candidateId", c.token_name as name from next_projects n
    join voting_rounds r on r.id = n.voting_round_id join voting_candidates c on c.id = r.winner_candidate_id
    where not n.told_promoted and n.is_active and n.status in ('published', 'launched') and n.deleted_at is null
    order by n.id for no key update of n skip locked`,
});

/** Public NEXT projects after an id whose followers were notified of another launch time, or not of the launch; locked. */
export const lockChangedLaunches = statement({
  parameters: { now: timestamptz, after: uuid, max: int4 },
  /** `at`: the time as text to the microsecond, or ''; `hour`: it has come; `date`: what happened to it since the last notification. */
  row: {
    id: uuid,
    name: text,
    launched: boolean,
    hour: boolean,
    was: boolean,
    at: text,
    date: oneOf(['same', 'set', 'moved', 'withdrawn']),
  },
  text: (at) => `
    with known as (
      select id, token_name, told_launched, told_launch_at, coalesce(countdown_end, launch_date) as at,
        coalesce(coalesce(countdown_end, launch_date) <= ${at.now}, false) as hour, status = 'launched' as announced
      from next_projects where is_active and status in ('published', 'launched') and deleted_at is null
    )
    select k.id, k.token_name as name, k.hour or k.announced as launched, k.hour, k.told_launched as was, coalesce(k.at::text, '') as at,
      case when k.at is not distinct from k.told_launch_at then 'same' when k.told_launch_at is null then 'set'
        when k.at is null then 'withdrawn' else 'moved' end as date
    from next_projects n join known k using (id)
    where (k.at is distinct from k.told_launch_at or (k.hour or k.announced) <> k.told_launched) and k.id > ${at.after}
    order by k.id limit ${at.max} for no key update of n skip locked`,
});

/** Records that followers of the candidate were notified of its win. */
export const markPromoted = command({
  parameters: { id: uuid },
  text: (at) => `update next_projects set told_promoted = true where id = ${at.id}`,
});

/** Records the launch time, and whether it launched, that followers were notified of. */
export const markLaunch = command({
  parameters: { id: uuid, launched: boolean },
  text: (
    at,
  ) => `update next_projects set told_launch_at = coalesce(countdown_end, launch_date), told_launched = ${at.launched}
    where id = ${at.id}`,
});

/**
 * Public NEXT projects after an id whose announced hour has come, and whose followers were not notified of the proof, or only of one on a test
 * chain; locked.
 */
export const lockProvenLaunches = statement({
  parameters: { after: uuid, max: int4 },
  row: { id: uuid, name: text, proof: oneOf(['test', 'chain']) },
  text: (at) => `
    select n.id, n.token_name as name, coalesce(p.proof, 'chain') as proof from next_projects n
    cross join lateral (
      select case when (found ->> 'test')::boolean then 'test' else 'chain' end as proof
      from next_launch_proof(n.contract_address, n.network) found where found is not null
    ) p
    where n.told_launched and n.notified_proof is distinct from 'chain' and p.proof is distinct from n.notified_proof
      and n.is_active and n.status in ('published', 'launched') and n.deleted_at is null and n.id > ${at.after}
    order by n.id limit ${at.max} for no key update of n skip locked`,
});

/** Records that followers were notified of the proof. */
export const markProof = command({
  parameters: { id: uuid, proof: text },
  text: (at) => `update next_projects set notified_proof = ${at.proof} where id = ${at.id}`,
});
