import { desc, eq } from 'drizzle-orm';
import type { TokenReading } from '#contract/admin/token-creation.ts';
import type { Reader } from '#server/db/client.ts';
import { tokenReadings } from '#server/db/tables/token-creations.ts';
import { readNewestReadings } from './readings.sql.ts';

const r = tokenReadings;

/** Readings that a screen shows without paging. */
const MAX_READINGS = 20;

/** The newest readings of a creation, newest first. */
export async function listReadings(db: Reader, creationId: string): Promise<TokenReading[]> {
  const rows = await db
    .select()
    .from(r)
    .where(eq(r.creationId, creationId))
    .orderBy(desc(r.readAt), desc(r.id))
    .limit(MAX_READINGS);
  return rows.map(({ what, outcome, differences, supply, block, detail, readAt }) => ({
    what,
    outcome,
    differences,
    supply,
    block,
    detail,
    at: readAt.toISOString(),
  }));
}

/**
 * Public result of the newest readings of a token: the differences and when they were found, or when its chain was last read without any.
 * Differences are shown only when the previous reading, at least an hour earlier, found some too, because a single node may answer
 * wrongly. Null before the first result.
 */
export async function readPublicResult(
  db: Reader,
  creationId: string,
): Promise<{ at: string; differences: string[] } | null> {
  const rows = await readNewestReadings(db, { creation: creationId });
  const different = rows.filter(({ what, nth, outcome }) => {
    const other = rows.find((one) => one.what === what && one.nth === 2);
    return nth === 1 && outcome === 'different' && other?.outcome === 'different';
  });
  const shown =
    different.length > 0
      ? different.reduce((newest, one) => (one.at > newest.at ? one : newest))
      : rows.find(({ what, outcome }) => what === 'chain' && outcome === 'same');
  return shown ? { at: shown.at.toISOString(), differences: different.flatMap((one) => [...one.differences]) } : null;
}
