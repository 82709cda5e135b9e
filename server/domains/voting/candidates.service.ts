import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { LastRound, Ranking, Round } from '#contract/domains/voting.ts';
import type { Reader } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { roundStandings, votingRounds } from '#server/db/tables/voting.ts';
import type { FixedNow } from '#server/lib/clock.ts';
import { readHead, readHistory, readRanking } from './candidates.sql.ts';

/** Number of places of the last round on the vote page. */
const LAST_PLACES = 3;

/**
 * The first `limit` active candidates, in the order that determines the winner (`byVotes`). Counts come from counters that are
 * updated with the votes; no votes are counted here.
 */
export async function rankCandidates(
  db: Reader,
  limit: number,
  { fixedNow, confirmedOnly }: { fixedNow: FixedNow; confirmedOnly: boolean },
): Promise<Ranking> {
  const [items, [head], last] = await Promise.all([
    readRanking(db, { fixedNow, max: limit }),
    readHead(db, { fixedNow }),
    lastRoundOf(db),
  ]);
  if (!head) throw new Error('a select of one row without a row');
  return {
    items: items.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      votesToday: row.trend.at(-1) ?? 0,
      trend: [...row.trend],
    })),
    total: head.total,
    round: roundOf(head),
    lastRound: last,
    confirmedOnly,
    serverTime: head.now.toISOString(),
  };
}

const roundOf = ({
  number,
  opensAt,
  closesAt,
  next,
}: {
  number: number | null;
  opensAt: Date | null;
  closesAt: Date | null;
  next: boolean;
}): Round | null =>
  number && opensAt && closesAt
    ? { number, opensAt: opensAt.toISOString(), closesAt: closesAt.toISOString(), next }
    : null;

/** The round that was certified last, with its first three candidates. */
async function lastRoundOf(db: Reader): Promise<LastRound | null> {
  const r = votingRounds;
  const rows = await db
    .select({
      number: r.number,
      closedAt: r.closedAt,
      closesAt: r.closesAt,
      closedEarly: r.closedEarlyReason,
      winnerSlug: sql`coalesce((select n.id::text from next_projects n where n.voting_round_id = ${r.id} and n.is_active
          and n.deleted_at is null and n.status in ('published', 'launched')),
        (select c.token_slug from voting_candidates c where c.certified_round_id = ${r.id} and c.is_active
          and c.deleted_at is null))`.mapWith(orNull(asText)),
      tokenName: roundStandings.tokenName,
      tokenSymbol: roundStandings.tokenSymbol,
      totalVotes: roundStandings.totalVotes,
    })
    .from(r)
    .leftJoin(
      roundStandings,
      and(eq(roundStandings.roundId, r.id), lte(roundStandings.rank, LAST_PLACES), gt(roundStandings.totalVotes, 0)),
    )
    .where(sql`${r.id} = (select id from voting_rounds where certified_at is not null order by number desc limit 1)`)
    .orderBy(roundStandings.rank);
  const [row] = rows;
  if (!row) return null;
  return {
    number: row.number,
    closedAt: (row.closedAt ?? row.closesAt).toISOString(),
    closesAt: row.closesAt.toISOString(),
    closedEarly: row.closedEarly,
    standings: rows.flatMap(({ tokenName, tokenSymbol, totalVotes }) =>
      tokenName !== null && tokenSymbol !== null && totalVotes !== null ? [{ tokenName, tokenSymbol, totalVotes }] : [],
    ),
    winnerSlug: row.winnerSlug,
  };
}

/** Votes of each of the last 30 UTC days, oldest first; days without votes are zero. Empty for an unknown candidate. */
export async function candidateHistory(
  db: Reader,
  candidateId: string,
  fixedNow: FixedNow,
): Promise<{ day: string; votes: number }[]> {
  const days = await readHistory(db, { fixedNow, candidateId });
  return days.some(({ votes }) => votes > 0) ? days : [];
}
