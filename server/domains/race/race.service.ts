import { type Placing, RACE_ROUNDS, type Race } from '#contract/domains/race.ts';
import { RACE_SHOWN } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import { utcDay } from '#server/lib/clock.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { readPlacings, readRace, readRanks, readRounds, readStoredRace } from './race.sql.ts';

/**
 * A round by day: the candidates that are first now, with their votes and rank on each day; of an ended round, those that were
 * first at its end.
 *
 * @param requested number of the round; the open one when omitted.
 * @throws NOT_FOUND for a round whose race was not stored.
 */
export async function raceOf(db: Reader, requested: number | undefined, now: Date): Promise<Race> {
  const known = await readRounds(db, { max: RACE_ROUNDS });
  const rounds = known.map(({ number }) => number);
  if (requested !== undefined && !known.some(({ number, open }) => open && number === requested)) {
    const stored = await readStoredRace(db, { round: requested });
    const [first] = stored;
    if (!first) return fail('NOT_FOUND', { what: 'round' });
    const candidates = stored.map(({ days: _, totals, ranks, ...about }) => ({
      ...about,
      totals: [...totals],
      ranks: [...ranks],
    }));
    return { round: requested, ended: true, rounds, days: [...first.days], candidates };
  }
  const rows = await readRace(db, { today: utcDay(now), shown: RACE_SHOWN });
  const days = [...new Set(rows.flatMap(({ day }) => day ?? []))].toSorted();
  const candidates = new Map<string, Race['candidates'][number]>();
  for (const { round: _, day: __, total, rank, ...about } of rows) {
    const one = candidates.get(about.id) ?? { ...about, totals: [], ranks: [] };
    one.totals.push(total);
    one.ranks.push(rank);
    candidates.set(about.id, one);
  }
  // Also the number of a round without candidates, which has no rows.
  const round = known.find(({ open }) => open)?.number ?? null;
  return { round, ended: false, rounds, days, candidates: [...candidates.values()] };
}

/** Ranks of one candidate by day of the open round, oldest first; empty when it can't be voted for. */
export async function ranksOf(
  db: Reader,
  candidate: string,
  now: Date,
): Promise<{ day: string; rank: number; total: number }[]> {
  const rows = await readRanks(db, { today: utcDay(now), candidate });
  return rows.flatMap(({ day, rank, total }) => (day ? [{ day, rank, total }] : []));
}

/** Final rank of a candidate in the newest rounds, and its ranks by day in those whose race was stored; newest first. */
export async function placingsOf(db: Reader, candidate: string): Promise<Placing[]> {
  const rows = await readPlacings(db, { candidate, max: RACE_ROUNDS });
  return rows.map(({ endedAt, days, ranks, ...about }) => ({
    ...about,
    endedAt: endedAt.toISOString(),
    days: days.flatMap((day, index) => (ranks[index] === undefined ? [] : [{ day, rank: ranks[index] }])),
  }));
}
