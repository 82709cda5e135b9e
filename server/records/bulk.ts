import { ORPCError } from '@orpc/server';
import type { BulkOutcome } from '#contract/admin/shared/bulk.ts';
import { isDatabaseAway } from '#server/db/failures.ts';
import { errorText } from '#server/lib/errors/describe-error.ts';

/** A record in the version that the editor loaded. */
export interface Seen {
  id: string;
  version: number;
}

/**
 * Changes several records, each from the version that the editor loaded.
 *
 * @param work changes one record and returns it; the same version as before means that nothing had to be changed.
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
 * Applies one action to several records, each in its own transaction, so that a refusal for one does not affect the
 * others. Once the database is unreachable, no further record is attempted (code BUSY); if none had been changed by
 * then, the error is thrown.
 *
 * @param work changes one record; returns whether there was anything to change, and throws an ORPCError of the contract
 *   to refuse.
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
      // Earlier records are already changed, and the response must report them.
      if (!(error instanceof ORPCError)) console.error(`a record of a bulk action failed: ${errorText(error)}`);
      const code = error instanceof ORPCError ? String(error.code) : 'UNEXPECTED';
      const by = error instanceof ORPCError ? (error.data as { by?: string | null } | undefined)?.by : null;
      results.push({ id, outcome: 'refused', code, ...(by ? { by } : {}) });
    }
  }
  return { results };
}
