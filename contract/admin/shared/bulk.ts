import { z } from 'zod';
import { BULK_MAX } from '../../limits.ts';
import { anyRecord, seenRecord } from './list.ts';

/** Ids of the records of a bulk action; duplicates are processed once. */
export const bulkIds = z.array(z.uuid()).min(1).max(BULK_MAX);

/** Records with the versions that the editor saw: one that changed since is refused, the others are not affected. */
export const bulkSeen = z.array(seenRecord).min(1).max(BULK_MAX);

/** True for the undo of one's own action: what a colleague changed since is refused, and stays. */
export const undoing = z.boolean().default(false);

/** For the undo of one's own change of a record: the version that it made. What was changed since is refused, and stays. */
export const undoneVersion = z.int().positive().optional();

/** A record in the trash that is to be restored. */
export const trashedRecord = anyRecord.extend({ undo: undoing });

/** Result for one record: each has its own transaction and its own audit entry. */
export const bulkOutcome = z.object({
  id: z.uuid(),
  /**
   * `unchanged`: already in the requested state. `refused`: the code gives the reason, and the record did not change; with
   * UNEXPECTED it is unknown whether it changed.
   */
  outcome: z.enum(['done', 'unchanged', 'refused']),
  code: z.string().nullable(),
  /** Who changed it meanwhile, when that is the reason. */
  by: z.string().optional(),
});
export type BulkOutcome = z.infer<typeof bulkOutcome>;

export const bulkAnswer = z.object({ results: z.array(bulkOutcome) });
