import { z } from 'zod';
import { BULK_MAX } from '../../limits.ts';
import { seenRecord } from './list.ts';

/** Which records an act on a selection takes, in any number of clicks each of them once. */
export const bulkIds = z.array(z.uuid()).min(1).max(BULK_MAX);

/** Records, each in the version that the editor saw: one that changed since is refused, and the others are not. */
export const bulkSeen = z.array(seenRecord).min(1).max(BULK_MAX);

/** What became of one record: each stands or falls by itself, with an audit entry of its own. */
export const bulkOutcome = z.object({
  id: z.uuid(),
  /**
   * `unchanged`: it was so already. `refused`: the code says why, and nothing of it changed; with UNEXPECTED nobody knows whether
   * it did.
   */
  outcome: z.enum(['done', 'unchanged', 'refused']),
  code: z.string().nullable(),
});
export type BulkOutcome = z.infer<typeof bulkOutcome>;

export const bulkAnswer = z.object({ results: z.array(bulkOutcome) });
