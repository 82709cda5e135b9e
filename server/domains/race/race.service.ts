import { RACE_SHOWN } from '#contract/limits.ts';
import type { Race } from '#contract/race.ts';
import type { Reader } from '#server/db/client.ts';
import { utcDay } from '#server/lib/clock.ts';
import { readRace, readRanks } from './race.sql.ts';

/** The open round by day: the candidates that are first now, with what they had and where they stood each day. */
export async function raceOf(db: Reader, now: Date): Promise<Race> {
  const rows = await readRace(db, { today: utcDay(now), shown: RACE_SHOWN });
  const days = [...new Set(rows.flatMap(({ day }) => day ?? []))].toSorted();
  const candidates = new Map<string, Race['candidates'][number]>();
  for (const { round: _, day: __, total, rank, ...about } of rows) {
    const one = candidates.get(about.id) ?? { ...about, totals: [], ranks: [] };
    one.totals.push(total);
    one.ranks.push(rank);
    candidates.set(about.id, one);
  }
  return { round: rows[0]?.round ?? null, days, candidates: [...candidates.values()] };
}

/** Places of one candidate by day of the open round, oldest first; none while it can't be voted for. */
export async function ranksOf(
  db: Reader,
  candidate: string,
  now: Date,
): Promise<{ day: string; rank: number; total: number }[]> {
  const rows = await readRanks(db, { today: utcDay(now), candidate });
  return rows.flatMap(({ day, rank, total }) => (day ? [{ day, rank, total }] : []));
}
