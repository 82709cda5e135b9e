import { sql } from 'drizzle-orm';
import { HISTORY_DAYS, TREND_DAYS } from '#contract/limits.ts';
import type { Ranking, Round } from '#contract/voting.ts';
import type { Reader } from '#server/db/client.ts';
import { lastUtcDays, utcDay } from '#server/lib/clock.ts';
import { byVotes, exactMoment } from './order.sql.ts';

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
export async function rankCandidates(db: Reader, limit: number, now: Date): Promise<Ranking> {
  const days = lastUtcDays(now, TREND_DAYS);
  const [page, counts] = await Promise.all([
    db.execute<CandidateRow>(sql`
      select c.id, c.token_name, c.token_symbol, c.token_slug, c.description, c.image_url, c.order_index, c.created_at,
             c.total_votes, ${sql.raw(exactMoment('c.total_reached_at'))} as reached_at, t.trend
      from (
        select * from voting_candidates where is_active and deleted_at is null
        order by ${byVotes()} limit ${limit}
      ) c
      cross join lateral (
        select array_agg(coalesce(d.votes, 0) order by g.day) as trend
        from generate_series(${days[0]}::date, ${days.at(-1)}::date, interval '1 day') as g (day)
        left join candidate_daily_votes d on d.candidate_id = c.id and d.day = g.day::date
      ) t
      order by ${byVotes('c')}`),
    db.execute<{ total: number; number: number | null; opens_at: Date | null; closes_at: Date | null }>(sql`
      select (select count(*)::int from voting_candidates where is_active and deleted_at is null) as total,
             r.number, r.opens_at, r.closes_at
      from (select 1) as one left join voting_rounds r on r.status = 'open'`),
  ]);
  const head = counts.rows[0];
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
    total: head?.total ?? 0,
    round: roundOf(head),
    serverTime: now.toISOString(),
  };
}

const roundOf = (
  row: { number: number | null; opens_at: Date | null; closes_at: Date | null } | undefined,
): Round | null =>
  row?.number && row.opens_at && row.closes_at
    ? {
        number: row.number,
        opensAt: new Date(row.opens_at).toISOString(),
        closesAt: new Date(row.closes_at).toISOString(),
      }
    : null;

/** Votes of each of the last 30 UTC days, oldest first; days without votes are zero. Empty for an unknown candidate. */
export async function candidateHistory(
  db: Reader,
  candidateId: string,
  now: Date,
): Promise<{ day: string; votes: number }[]> {
  const days = lastUtcDays(now, HISTORY_DAYS);
  const { rows } = await db.execute<{ day: string; votes: number }>(sql`
    select day::text as day, votes from candidate_daily_votes
    where candidate_id = ${candidateId} and day between ${days[0]} and ${utcDay(now)}
      and exists (select 1 from voting_candidates where id = ${candidateId} and is_active and deleted_at is null)`);
  if (rows.length === 0) return [];
  const votes = new Map(rows.map((row) => [row.day, row.votes]));
  return days.map((day) => ({ day, votes: votes.get(day) ?? 0 }));
}
