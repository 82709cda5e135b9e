import { and, desc, eq, inArray } from 'drizzle-orm';
import type { RecordVersion } from '#contract/admin/editorial.ts';
import type { Reader, Tx } from '#server/db/client.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { recordPreviews, recordSchedules, recordVersions } from '#server/db/tables/records.ts';
import { SHOWN_NAME } from './shown-name.ts';

type Fields = Record<string, unknown>;

interface Saved {
  id: string;
  version: number;
  fields: Fields;
  /** The record before the change; null of a new one, and of one that comes out of the trash. */
  before: { version: number; fields: Fields; at: Date } | null;
  restoredFrom: number | null;
  /** Who changed it, and when. */
  by: string | null;
  at: Date;
}

/** The database orders the names of a stored object in its own way. */
const isSame = (one: Fields, other: Fields) =>
  Object.keys({ ...one, ...other }).every(
    (name) => JSON.stringify(one[name] ?? null) === JSON.stringify(other[name] ?? null),
  );

const of = (kind: string, id: string) => and(eq(recordVersions.kind, kind), eq(recordVersions.recordId, id));

/**
 * Keeps the texts of a record as they are after a change, in its transaction; a change of nothing that is kept keeps nothing.
 * Texts that no version has, from before there were any or left by something else than an edit, become a version first.
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

/** At most this many versions of a record are listed, the newest; older ones stay kept. */
const MAX_LISTED = 200;

/** The versions of a record, newest first. */
export async function listVersions(db: Reader, kind: string, id: string): Promise<RecordVersion[]> {
  const rows = await db
    .select({
      version: recordVersions.version,
      fields: recordVersions.fields,
      restoredFrom: recordVersions.restoredFrom,
      at: recordVersions.createdAt,
      by: SHOWN_NAME,
    })
    .from(recordVersions)
    .leftJoin(users, eq(users.id, recordVersions.createdBy))
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
    .where(of(kind, id))
    .orderBy(desc(recordVersions.version))
    .limit(MAX_LISTED);
  return rows.map(({ at, by, ...row }) => ({ ...row, savedAt: at.toISOString(), savedBy: by }));
}

/** The texts of one version; undefined when there is none. */
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

/** Removes what is kept beside records that are gone for good: versions, schedules, links to them. */
export async function forgetRecords(tx: Tx, kind: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  for (const table of [recordVersions, recordSchedules, recordPreviews])
    await tx.delete(table).where(and(eq(table.kind, kind), inArray(table.recordId, ids)));
}
