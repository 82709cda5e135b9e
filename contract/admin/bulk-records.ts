import { z } from 'zod';
import { bulkAnswer, bulkIds, bulkSeen, undoing } from './shared/bulk.ts';
import { adminWrite } from './shared/list.ts';

/** Kinds of records that editors delete in bulk; networks have calls of their own, because deleting them requires step-up. */
export const bulkKind = z.enum(['project', 'candidate', 'next_project', 'news']);
export type BulkKind = z.infer<typeof bulkKind>;

/** Bulk actions on projects, candidates, NEXT projects or news: each record in its own transaction, by the rules of its own procedure. */
export const adminRecords = {
  /** Records that changed since the editor loaded them are refused. */
  remove: adminWrite('POST', '/records/remove', 'Put several records of one kind into the trash', ['editor'])
    .input(z.strictObject({ kind: bulkKind, records: bulkSeen }))
    .output(bulkAnswer),
  /** A token that resembles another one is refused with RESEMBLES; its own procedure accepts the confirmation. */
  restore: adminWrite('POST', '/records/restore', 'Take several records of one kind out of the trash', ['editor'])
    .input(z.strictObject({ kind: bulkKind, ids: bulkIds, undo: undoing }))
    .output(bulkAnswer),
};
