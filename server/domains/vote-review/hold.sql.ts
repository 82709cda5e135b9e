import { HOLD_KINDS } from '#contract/vote-signals.ts';
import { arrayOf, date, int8, jsonb, oneOf, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';

/**
 * For each vote, the newest cluster of the round with an earlier vote of its member for its candidate that waits or was voided. Does not
 * read the votes themselves: the code that puts them under review checks which of them still exist.
 */
export const findRelated = statement({
  parameters: {
    round: uuid,
    /** With their members and candidates, in the same order. */
    votes: arrayOf(int8),
    members: arrayOf(uuid),
    candidates: arrayOf(uuid),
  },
  row: {
    voteId: int8,
    signal: oneOf(HOLD_KINDS),
    key: text,
    candidateId: orNull(uuid),
    facts: jsonb((value) => value as Record<string, string | number>),
  },
  text: (at) => `
    select coalesce(n.id, 0) as "voteId", c.signal, c.key, c.candidate_id as "candidateId", c.facts
    from unnest(${at.votes}, ${at.members}, ${at.candidates}) as n (id, user_id, candidate_id)
    join lateral (
      select c.signal, c.key, c.candidate_id, c.facts from vote_review_votes r
      join vote_review_clusters c on c.id = r.cluster_id and c.round_id = ${at.round}
      where r.user_id = n.user_id and r.candidate_id = n.candidate_id and r.vote_id <> n.id
        and (c.state = 'open' or r.decided_as = 'void')
      order by r.held_at desc limit 1
    ) c on true`,
});

/** Adds votes to a cluster; votes that no longer exist are skipped. */
export const putIntoCluster = command({
  parameters: {
    cluster: uuid,
    /** With their UTC days, in the same order. */
    votes: arrayOf(int8),
    days: arrayOf(date),
    at: timestamptz,
  },
  text: (at) => `
    insert into vote_review_votes (vote_id, voted_on, cluster_id, candidate_id, user_id, held_at)
    select v.id, v.voted_on, ${at.cluster}, v.candidate_id, v.user_id, ${at.at} from votes v
    where v.id = any(${at.votes}) and v.voted_on = any(${at.days})`,
});
