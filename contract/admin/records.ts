import { z } from 'zod';
import { bulkAnswer, bulkIds, bulkSeen } from './shared/bulk.ts';
import { adminWrite } from './shared/list.ts';

/** Records whose trash takes several at once; networks ask for a proof each. */
export const bulkKind = z.enum(['project', 'candidate', 'next_project', 'news']);
export type BulkKind = z.infer<typeof bulkKind>;

/** Acts on a selection of projects, candidates, NEXT projects or news: each record by itself, as its own procedure does it. */
export const adminRecords = {
  /** Those that changed since the editor saw them are refused. */
  remove: adminWrite('POST', '/records/remove', 'Put several records of one kind into the trash', ['editor'])
    .input(z.strictObject({ kind: bulkKind, records: bulkSeen }))
    .output(bulkAnswer),
  restore: adminWrite('POST', '/records/restore', 'Take several records of one kind out of the trash', ['editor'])
    .input(z.strictObject({ kind: bulkKind, ids: bulkIds }))
    .output(bulkAnswer),
};
