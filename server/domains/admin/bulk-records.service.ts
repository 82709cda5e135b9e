import type { BulkKind } from '#contract/admin/bulk-records.ts';
import type { Db } from '#server/db/client.ts';
import { removeNews, restoreNews } from '#server/domains/news/manage.service.ts';
import { removeNextProject, restoreNextProject } from '#server/domains/next-projects/manage.service.ts';
import { removeProject, restoreProject } from '#server/domains/projects/manage.service.ts';
import { removeCandidate, restoreCandidate } from '#server/domains/voting/manage.service.ts';
import { forEachRecord } from '#server/records/bulk.ts';
import type { Editor, TrashedRecord } from '#server/records/records.ts';

type Seen = { id: string; version: number };
interface RecordActions {
  remove: (db: Db, by: Editor, seen: Seen) => Promise<unknown>;
  restore: (db: Db, by: Editor, record: TrashedRecord) => Promise<unknown>;
}

const RECORD_ACTIONS: Readonly<Record<BulkKind, RecordActions>> = {
  project: { remove: removeProject, restore: restoreProject },
  candidate: { remove: removeCandidate, restore: restoreCandidate },
  next_project: { remove: removeNextProject, restore: restoreNextProject },
  news: { remove: removeNews, restore: restoreNews },
};

/**
 * Moves several records of one kind to the trash, each in a transaction of its own with its audit entry and live event.
 *
 * @param records each in the version that the editor saw; one that changed since is refused, without affecting the others.
 */
export function removeRecords(db: Db, by: Editor, kind: BulkKind, records: readonly Seen[]) {
  const versions = new Map(records.map(({ id, version }) => [id, version]));
  return forEachRecord([...versions.keys()], async (id) => {
    await RECORD_ACTIONS[kind].remove(db, by, { id, version: versions.get(id) ?? 0 });
    return 'done';
  });
}

/** Restores several records of one kind from the trash, one transaction each. With `undo`, as the undo of their deletion. */
export const restoreRecords = (
  db: Db,
  by: Editor,
  { kind, ids, undo }: Pick<TrashedRecord, 'undo'> & { kind: BulkKind; ids: readonly string[] },
) =>
  forEachRecord(ids, async (id) => {
    await RECORD_ACTIONS[kind].restore(db, by, { id, undo });
    return 'done';
  });
