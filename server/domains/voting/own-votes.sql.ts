import { date, int4, oneOf, orNull, text, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** Votes of a member in the open round that are not counted, newest first. */
export const readUncounted = statement({
  // Prepared, because it covers all partitions and planning takes longer than execution.
  prepared: 'uncounted_votes',
  parameters: { userId: uuid, max: int4 },
  row: {
    candidateId: uuid,
    tokenName: text,
    tokenSlug: text,
    day: date,
    state: oneOf(['under_review', 'void']),
    reason: orNull(text),
  },
  text: (at) => `
    select v.candidate_id as "candidateId", c.token_name as "tokenName", c.token_slug as "tokenSlug", v.voted_on as day, v.state,
      v.state_reason as reason
    from votes v join voting_candidates c on c.id = v.candidate_id and v.generation = any(c.generations)
    join voting_rounds r on r.status = 'open' and (v.round_id = r.id or (v.round_id is null and v.created_at >= r.opens_at))
    where v.user_id = ${at.userId} and v.state <> 'counted' order by v.id desc limit ${at.max}`,
});
