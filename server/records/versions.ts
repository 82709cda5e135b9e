import { and, desc, eq, inArray } from 'drizzle-orm';
import type { RecordVersion } from '#contract/admin/editorial.ts';
import type { Reader, Tx } from '#server/db/client.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { recordPreviews, recordSchedules, recordVersions } from '#server/db/tables/records.ts';
import { DISPLAY_NAME } from './display-name.ts';

type Fields = Record<string, unknown>;

interface Saved {
  id: string;
  version: number;
  fields: Fields;
  /** The record before the change; null for a new one, and for one restored from the trash. */
  before: { version: number; fields: Fields; at: Date } | null;
  restoredFrom: number | null;
  /** Id of the person who changed it, and the time. */
  by: string | null;
  at: Date;
}

/** The database does not preserve the order of names in a stored object. */
const isSame = (one: Fields, other: Fields) =>
  Object.keys({ ...one, ...other }).every(
    (name) => JSON.stringify(one[name] ?? null) === JSON.stringify(other[name] ?? null),
  );

const of = (kind: string, id: string) => and(eq(recordVersions.kind, kind), eq(recordVersions.recordId, id));

/**
 * Stores the texts of a record after a change as a version, in its transaction, unless they are equal to the newest
 * version. If the previous texts are not stored (older than versions, or changed by something other than an edit), they
 * are stored first.
 */
export async function storeVersion(tx: Tx, kind: string, saved: Saved): Promise<void> {
  const { id, version, fields, before, restoredFrom, by, at } = saved;
  const [newest] = await tx
    .select({ version: recordVersions.version, fields: recordVersions.fields })
    .from(recordVersions)
    .where(of(kind, id))
    .orderBy(desc(recordVersions.version))
    .limit(1);
  const rest = { kind, recordId: id };
  let last = newest?.fields;
  if (before && !(last && isSame(last, before.fields))) {
    if (newest?.version !== before.version)
      await tx
        .insert(recordVersions)
        .values({ ...rest, version: before.version, fields: before.fields, createdAt: before.at });
    last = before.fields;
  }
  if (last && isSame(last, fields)) return;
  await tx.insert(recordVersions).values({ ...rest, version, fields, restoredFrom, createdAt: at, createdBy: by });
}

/** Maximum number of listed versions of a record, the newest ones; older ones remain stored. */
const MAX_LISTED = 200;

/** The versions of a record, newest first. */
export async function listVersions(db: Reader, kind: string, id: string): Promise<RecordVersion[]> {
  const rows = await db
    .select({
      version: recordVersions.version,
      fields: recordVersions.fields,
      restoredFrom: recordVersions.restoredFrom,
      at: recordVersions.createdAt,
      by: DISPLAY_NAME,
    })
    .from(recordVersions)
    .leftJoin(users, eq(users.id, recordVersions.createdBy))
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
    .where(of(kind, id))
    .orderBy(desc(recordVersions.version))
    .limit(MAX_LISTED);
  return rows.map(({ at, by, ...row }) => ({ ...row, savedAt: at.toISOString(), savedBy: by }));
}

/** The texts of one version; undefined if it does not exist. */
export async function versionFields(
  db: Reader,
  kind: string,
  id: string,
  version: number,
): Promise<Fields | undefined> {
  const [row] = await db
    .select({ fields: recordVersions.fields })
    .from(recordVersions)
    .where(and(of(kind, id), eq(recordVersions.version, version)));
  return row?.fields;
}

/**
 * Ends the scheduled publication of a record that somebody published before its time; otherwise it would return by itself after being
 * hidden. Its scheduled end remains.
 *
 * @returns the time of the publication that no longer comes; undefined without one.
 */
export async function endScheduledPublication(tx: Tx, kind: string, id: string): Promise<Date | undefined> {
  const scheduled = and(eq(recordSchedules.kind, kind), eq(recordSchedules.recordId, id));
  const [row] = await tx.select().from(recordSchedules).where(scheduled).for('update');
  if (!row?.publishAt) return undefined;
  if (row.expireAt) await tx.update(recordSchedules).set({ publishAt: null }).where(scheduled);
  else await tx.delete(recordSchedules).where(scheduled);
  return row.publishAt;
}

/** Deletes what belongs to permanently deleted records: versions, schedules, preview links. */
export async function forgetRecords(tx: Tx, kind: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  for (const table of [recordVersions, recordSchedules, recordPreviews])
    await tx.delete(table).where(and(eq(table.kind, kind), inArray(table.recordId, ids)));
}
