import { boolean, date, int4, int8, orNull, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** The counted vote of a member for a candidate on the present UTC day, and whether its round, which is locked, still runs. */
export const readOwnOfToday = statement({
  parameters: { candidateId: uuid, userId: uuid, roundId: orNull(uuid), present: orNull(timestamptz) },
  row: { id: int8, day: date, running: boolean },
  text: (at) => `
    select v.id, v.voted_on as day, r.id is not null as running
    from (select coalesce(${at.present}, clock_timestamp()) as at) as p
    join votes v on v.candidate_id = ${at.candidateId} and v.user_id = ${at.userId} and v.state = 'counted'
      and v.voted_on = (p.at at time zone 'UTC')::date
    join voting_candidates c on c.id = v.candidate_id and v.generation = any(c.generations)
    left join voting_rounds r on r.id = ${at.roundId} and r.closes_at > p.at
      and (v.round_id = r.id or (v.round_id is null and v.created_at >= r.opens_at))`,
});

/** Deletes all votes of a member and lowers the counters of candidates that are locked. @returns those that are present. */
export const removeVotesOf = statement({
  parameters: { userId: uuid },
  row: { candidateId: uuid, votes: int4 },
  text: (at) => `
    with gone as (
      delete from votes v using (select v.id, v.round_id is not distinct from r.id
          or (v.round_id is null and v.created_at >= r.opens_at) as running, v.generation = any(c.generations) as live
        from votes v join voting_candidates c on c.id = v.candidate_id left join voting_rounds r on r.status = 'open'
        where v.user_id = ${at.userId}) o
      where v.id = o.id returning v.candidate_id, v.voted_on, v.state, o.running, o.live
    ), days as (
      update candidate_daily_votes d set votes = d.votes - g.votes
      from (select candidate_id, voted_on, count(*)::int as votes from gone where live and state = 'counted' group by 1, 2) g
      where d.candidate_id = g.candidate_id and d.day = g.voted_on
    ), lowered as (
      select candidate_id, count(*)::int as votes, (count(*) filter (where state = 'counted'))::int as counted,
        (count(*) filter (where state = 'under_review' and running))::int as under_review,
        (count(*) filter (where state = 'void' and running))::int as void
      from gone where live group by 1
    )
    update voting_candidates c set total_votes = c.total_votes - l.counted,
      votes_under_review = c.votes_under_review - l.under_review, votes_void = c.votes_void - l.void
    from lowered l where c.id = l.candidate_id
    returning c.id as "candidateId", l.votes`,
});
