import { sql } from 'drizzle-orm';
import { HISTORY_DAYS, TREND_DAYS } from '#contract/limits.ts';
import type { LastRound, Ranking, Round } from '#contract/voting.ts';
import type { Reader } from '#server/db/client.ts';
import { type Present, presentIn } from '#server/lib/clock.ts';
import { byVotes, exactMoment, IN_THE_RUNNING } from './order.sql.ts';

/** Places of the last round that the vote page shows. */
const LAST_PLACES = 3;

interface CandidateRow extends Record<string, unknown> {
  id: string;
  token_name: string;
  token_symbol: string;
  token_slug: string;
  description: string | null;
  image_url: string | null;
  order_index: number;
  created_at: Date;
  total_votes: number;
  reached_at: string | null;
  trend: number[];
}

/**
 * The first `limit` active candidates, in the order of the winner (`byVotes`).
 * Counts come from the counters that are written with the votes; no vote is counted here.
 */
export async function rankCandidates(
  db: Reader,
  limit: number,
  { present, confirmedOnly }: { present: Present; confirmedOnly: boolean },
): Promise<Ranking> {
  const today = sql`(select (${presentIn(present)} at time zone 'UTC')::date as day)`;
  const [page, counts, last] = await Promise.all([
    db.execute<CandidateRow>(sql`
      select c.id, c.token_name, c.token_symbol, c.token_slug, c.description, c.image_url, c.order_index, c.created_at,
             c.total_votes, ${sql.raw(exactMoment('c.total_reached_at'))} as reached_at, t.trend
      from (
        select * from voting_candidates where ${IN_THE_RUNNING} order by ${byVotes()} limit ${limit}
      ) c
      cross join ${today} as today
      cross join lateral (
        select array_agg(coalesce(d.votes, 0) order by g.day) as trend
        from generate_series(today.day - ${TREND_DAYS - 1}::int, today.day, interval '1 day') as g (day)
        left join candidate_daily_votes d on d.candidate_id = c.id and d.day = g.day::date
      ) t
      order by ${byVotes('c')}`),
    db.execute<Head>(sql`
      select (select count(*)::int from voting_candidates where ${IN_THE_RUNNING}) as total,
             one.now, r.number, r.opens_at, r.closes_at, r.next_days is not null as next
      from (select ${presentIn(present)} as now) as one left join voting_rounds r on r.status = 'open'`),
    lastRoundOf(db),
  ]);
  const head = counts.rows[0];
  if (!head) throw new Error('a select of one row without a row');
  return {
    items: page.rows.map((row) => ({
      id: row.id,
      tokenName: row.token_name,
      tokenSymbol: row.token_symbol,
      tokenSlug: row.token_slug,
      description: row.description,
      imageUrl: row.image_url,
      orderIndex: row.order_index,
      createdAt: new Date(row.created_at).toISOString(),
      totalVotes: row.total_votes,
      reachedAt: row.reached_at,
      votesToday: row.trend.at(-1) ?? 0,
      trend: row.trend,
    })),
    total: head.total,
    round: roundOf(head),
    lastRound: last,
    confirmedOnly,
    serverTime: new Date(head.now).toISOString(),
  };
}

interface Head extends Record<string, unknown> {
  total: number;
  /** The database's clock. */
  now: Date;
  number: number | null;
  opens_at: Date | null;
  closes_at: Date | null;
  next: boolean;
}

const roundOf = (row: Head): Round | null =>
  row.number && row.opens_at && row.closes_at
    ? {
        number: row.number,
        opensAt: new Date(row.opens_at).toISOString(),
        closesAt: new Date(row.closes_at).toISOString(),
        next: row.next,
      }
    : null;

/** The round that was certified last, with its first three. */
async function lastRoundOf(db: Reader): Promise<LastRound | null> {
  const { rows } = await db.execute<{
    number: number;
    closed_at: Date;
    closes_at: Date;
    early: string | null;
    standings: LastRound['standings'];
    slug: string | null;
  }>(sql`
    select r.number, r.closed_at, r.closes_at, r.closed_early_reason as early,
      coalesce((select n.id::text from next_projects n where n.voting_round_id = r.id and n.is_active and n.deleted_at is null),
        (select c.token_slug from voting_candidates c where c.certified_round_id = r.id and c.is_active and c.deleted_at is null)
      ) as slug,
      (select coalesce(json_agg(json_build_object('tokenName', s.token_name, 'tokenSymbol', s.token_symbol,
         'totalVotes', s.total_votes) order by s.rank), '[]')
       from round_standings s where s.round_id = r.id and s.rank <= ${LAST_PLACES} and s.total_votes > 0) as standings
    from voting_rounds r where r.certified_at is not null order by r.number desc limit 1`);
  const row = rows[0];
  return row
    ? {
        number: row.number,
        closedAt: new Date(row.closed_at).toISOString(),
        closesAt: new Date(row.closes_at).toISOString(),
        closedEarly: row.early,
        standings: row.standings,
        winnerSlug: row.slug,
      }
    : null;
}

/** Votes of each of the last 30 UTC days, oldest first; days without votes are zero. Empty for an unknown candidate. */
export async function candidateHistory(
  db: Reader,
  candidateId: string,
  present: Present,
): Promise<{ day: string; votes: number }[]> {
  const { rows } = await db.execute<{ day: string; votes: number }>(sql`
    select g.day::date::text as day, coalesce(d.votes, 0) as votes
    from (select (${presentIn(present)} at time zone 'UTC')::date as day) as today
    cross join generate_series(today.day - ${HISTORY_DAYS - 1}::int, today.day, interval '1 day') as g (day)
    left join candidate_daily_votes d on d.candidate_id = ${candidateId} and d.day = g.day::date
    where exists (select 1 from voting_candidates where id = ${candidateId} and is_active and deleted_at is null)
    order by g.day`);
  return rows.some(({ votes }) => votes > 0) ? rows : [];
}
