import { ORPCError } from '@orpc/server';
import type { BulkOutcome } from '#contract/admin/shared/bulk.ts';
import { isDatabaseAway } from '#server/db/failures.ts';
import { errorText } from '#server/lib/errors/describe-error.ts';

/** A record as the editor saw it. */
export interface Seen {
  id: string;
  version: number;
}

/**
 * Changes several records, each as the editor saw it.
 *
 * @param work one record; answers with it as it is then: in the version that was seen, nothing was to be done.
 */
export function forEachSeen(
  records: readonly Seen[],
  work: (seen: Seen) => Promise<{ version: number }>,
): Promise<{ results: BulkOutcome[] }> {
  const versions = new Map(records.map(({ id, version }) => [id, version]));
  return forEachRecord([...versions.keys()], async (id) => {
    const version = versions.get(id) ?? 0;
    return (await work({ id, version })).version === version ? 'unchanged' : 'done';
  });
}

/**
 * Does the same to several records, one after the other, each in a transaction of its own: what is refused for one leaves
 * the others alone. While the database is away no further record is tried: where nothing was done before, the whole call fails
 * with what tells when to try again.
 *
 * @param work one record; answers whether there was anything to do, and throws what the contract knows.
 */
export async function forEachRecord(
  ids: readonly string[],
  work: (id: string) => Promise<'done' | 'unchanged'>,
): Promise<{ results: BulkOutcome[] }> {
  const results: BulkOutcome[] = [];
  let away = false;
  for (const id of new Set(ids)) {
    if (away) {
      results.push({ id, outcome: 'refused', code: 'BUSY' });
      continue;
    }
    try {
      results.push({ id, outcome: await work(id), code: null });
    } catch (error) {
      away = isDatabaseAway(error);
      if (away && !results.some(({ outcome }) => outcome === 'done')) throw error;
      // The records before this one are done already: the answer must still say so.
      if (!(error instanceof ORPCError)) console.error(`one of several records failed: ${errorText(error)}`);
      const code = error instanceof ORPCError ? String(error.code) : 'UNEXPECTED';
      results.push({ id, outcome: 'refused', code });
    }
  }
  return { results };
}
