import { arrayOf, boolean, date, exactMoment, int4, int8, orNull, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** The current time and its UTC day. Statements get the day as a value, so that they are planned for one partition only. */
export const readToday = statement({
  parameters: { fixedNow: orNull(timestamptz) },
  row: { at: exactMoment, day: date },
  text: (given) => `
    select p.at, (p.at at time zone 'UTC')::date as day from (select coalesce(${given.fixedNow}, clock_timestamp()) as at) as p`,
});

/** The newest day of each of these candidates with a counted vote, and the time of the newest carried vote of that day. */
export const readNewestDays = statement({
  prepared: 'newest_days',
  parameters: { candidates: arrayOf(uuid) },
  row: { id: uuid, day: date, carriedAt: orNull(exactMoment) },
  text: (at) => `
    select c.id, coalesce(d.day, 'infinity') as day, (select max(k.newest_at) from carried_votes k
      where k.candidate_id = c.id and k.day = d.day and k.generation = any(c.generations)) as "carriedAt"
    from voting_candidates c
    cross join lateral (select max(day) as day from candidate_daily_votes where candidate_id = c.id and votes > 0) as d
    where c.id = any(${at.candidates}) and d.day is not null`,
});

/** The time of the newest counted vote on a UTC day of each of these candidates that has one. Planned for the partition of the day. */
export const readNewestCounted = statement({
  parameters: { candidates: arrayOf(uuid), day: date },
  row: { id: uuid, at: exactMoment },
  text: (given) => `
    select c.id, coalesce(n.at, '-infinity') as at from voting_candidates c
    cross join lateral (select max(m.created_at) as at from unnest(c.generations) as g
      cross join lateral (select v.created_at from votes v where v.candidate_id = c.id and v.generation = g
        and v.state = 'counted' and v.voted_on = ${given.day} order by v.created_at desc limit 1) as m) as n
    where c.id = any(${given.candidates}) and n.at is not null`,
});

/**
 * The vote of a member for a candidate on a UTC day, whether it counts, and whether its round, which is locked, is still open at a given
 * time.
 */
export const readOwnOfToday = statement({
  parameters: { candidateId: uuid, userId: uuid, roundId: orNull(uuid), at: exactMoment, day: date },
  row: { id: int8, day: date, counted: boolean, running: boolean },
  text: (at) => `
    select v.id, v.voted_on as day, v.state = 'counted' as counted, r.id is not null as running
    from votes v
    join voting_candidates c on c.id = v.candidate_id and v.generation = any(c.generations)
    left join voting_rounds r on r.id = ${at.roundId} and r.closes_at > ${at.at}
      and (v.round_id = r.id or (v.round_id is null and v.created_at >= r.opens_at))
    where v.candidate_id = ${at.candidateId} and v.user_id = ${at.userId} and v.voted_on = ${at.day}`,
});

/** Deletes all votes of a member and decrements the counters of candidates that are locked. @returns the present ones. */
export const removeVotesOf = statement({
  parameters: { userId: uuid },
  row: { candidateId: uuid, votes: int4 },
  text: (at) => `
    with gone as (
      delete from votes v using (select v.id, v.voted_on, coalesce(v.round_id = r.id
          or (v.round_id is null and v.created_at >= r.opens_at), false) as running, v.generation = any(c.generations) as live
        from votes v join voting_candidates c on c.id = v.candidate_id left join voting_rounds r on r.status = 'open'
        where v.user_id = ${at.userId}) o
      where v.id = o.id and v.voted_on = o.voted_on returning v.candidate_id, v.voted_on, v.state, o.running, o.live
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

/** Whether votes are possible: a round is open, and has not ended or is followed by another. */
export const readIsOpen = statement({
  parameters: { fixedNow: orNull(timestamptz) },
  row: { open: boolean },
  text: (at) => `select exists (select 1 from voting_rounds
    where status = 'open' and (next_days is not null or closes_at > coalesce(${at.fixedNow}, clock_timestamp()))) as open`,
});
