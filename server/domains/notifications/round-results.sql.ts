import { boolean, exactMoment, int4, orNull, text, uuid } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';

/** The earliest ended round whose voters are not all notified; locked. `after`: the last notified voter. */
export const lockEndedRound = statement({
  parameters: {},
  row: {
    id: uuid,
    number: int4,
    opensAt: exactMoment,
    closedAt: exactMoment,
    after: orNull(uuid),
    winner: orNull(text),
    nextId: orNull(uuid),
    hasRace: boolean,
  },
  text: () => `
    select r.id, r.number, r.opens_at as "opensAt", coalesce(r.closed_at, 'infinity') as "closedAt", t.told_up_to as after,
      coalesce(n.token_name, c.token_name) as winner, n.id as "nextId",
      exists (select 1 from round_races k where k.round_id = r.id) as "hasRace"
    from notified_rounds t join voting_rounds r on r.id = t.round_id
    left join voting_candidates c on c.id = r.winner_candidate_id
    left join next_projects n on n.voting_round_id = r.id and n.is_active and n.deleted_at is null
      and n.status in ('published', 'launched')
    where t.done_at is null order by r.closed_at limit 1 for no key update of t skip locked`,
});

/** A batch of the voters of a round, by id. */
export const readVoters = statement({
  parameters: { opensAt: exactMoment, closedAt: exactMoment, after: orNull(uuid), max: int4 },
  row: { id: uuid },
  text: (at) => `
    select distinct v.user_id as id
    from votes v join voting_candidates c on c.id = v.candidate_id and v.generation = any(c.generations)
    where v.created_at >= ${at.opensAt} and v.created_at < ${at.closedAt} and (${at.after} is null or v.user_id > ${at.after})
    order by 1 limit ${at.max}`,
});

/** Notes the rounds that have ended, so that their voters are notified. */
export const noteEndedRounds = command({
  parameters: {},
  text: () => `
    insert into notified_rounds (round_id) select id from voting_rounds where status = 'closed'
    on conflict do nothing`,
});
