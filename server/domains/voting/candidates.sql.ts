import { HISTORY_DAYS, TREND_DAYS } from '#contract/limits.ts';
import { arrayOf, boolean, date, int4, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import { verifiedColumn, verifiedSql } from '#server/domains/ownership/verified.service.ts';
import { COMPETING_SQL, exactMoment, votesOrder } from './ranking-order.sql.ts';

/** Expression for the current time: an instant set by a test, or the database's clock. */
const clock = (fixedNow: string) => `coalesce(${fixedNow}, clock_timestamp())`;
const today = (fixedNow: string) => `(select (${clock(fixedNow)} at time zone 'UTC')::date as day)`;

/** Votes of each of the last days of a candidate, oldest first. One range of the index: joined to a series of days, a page takes two fifths longer. */
const votesOfDays = Array.from(
  { length: TREND_DAYS },
  (_, i) => `coalesce(sum(d.votes) filter (where d.day = today.day - ${TREND_DAYS - 1 - i}), 0)`,
).join(', ');

/** The first candidates in the order that determines the winner, with their votes of the last days; no votes are counted here. */
export const readRanking = statement({
  prepared: 'ranking',
  parameters: { fixedNow: orNull(timestamptz), max: int4 },
  row: {
    id: uuid,
    tokenName: text,
    tokenSymbol: text,
    tokenSlug: text,
    description: orNull(text),
    imageUrl: orNull(text),
    orderIndex: int4,
    createdAt: timestamptz,
    totalVotes: int4,
    reachedAt: orNull(text),
    trend: arrayOf(int4),
    verified: verifiedColumn,
  },
  text: (at) => `
    select c.id, c.token_name as "tokenName", c.token_symbol as "tokenSymbol", c.token_slug as "tokenSlug", c.description,
      c.image_url as "imageUrl", c.order_index as "orderIndex", c.created_at as "createdAt", c.total_votes as "totalVotes",
      ${exactMoment('c.total_reached_at')} as "reachedAt",
      (select array[${votesOfDays}]::int[] from candidate_daily_votes d
        where d.candidate_id = c.id and d.day between today.day - ${TREND_DAYS - 1} and today.day) as trend,
      ${verifiedSql('c', 'candidate_id')} as verified
    from (select * from voting_candidates where ${COMPETING_SQL} order by ${votesOrder()} limit ${at.max}) c
    cross join ${today(at.fixedNow)} as today
    order by ${votesOrder('c')}`,
});

/** Number of candidates that can be voted for, the database's clock, and the open round. */
export const readHead = statement({
  prepared: 'head_of_ranking',
  parameters: { fixedNow: orNull(timestamptz) },
  row: {
    total: int4,
    now: timestamptz,
    number: orNull(int4),
    opensAt: orNull(timestamptz),
    closesAt: orNull(timestamptz),
    next: boolean,
  },
  text: (at) => `
    select one.total, one.now, r.number, r.opens_at as "opensAt", r.closes_at as "closesAt", r.next_days is not null as next
    from (select count(*)::int as total, ${clock(at.fixedNow)} as now from voting_candidates where ${COMPETING_SQL}) as one
    left join voting_rounds r on r.status = 'open'`,
});

/** Votes of each of the last days, oldest first; empty for an unknown or inactive candidate. */
export const readHistory = statement({
  prepared: 'history_of_candidate',
  parameters: { fixedNow: orNull(timestamptz), candidateId: uuid },
  row: { day: date, votes: int4 },
  text: (at) => `
    select (today.day - n.back) as day, coalesce(d.votes, 0) as votes
    from ${today(at.fixedNow)} as today
    cross join (select coalesce(i, 0) as back from generate_series(0, ${HISTORY_DAYS - 1}) as i) as n
    left join candidate_daily_votes d on d.candidate_id = ${at.candidateId} and d.day = today.day - n.back
    where exists (select 1 from voting_candidates where id = ${at.candidateId} and is_active and deleted_at is null)
    order by n.back desc`,
});
