import { and, eq, inArray, isNull, lt, not, sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { media } from '#server/db/tables/media.ts';
import type { Storage, StoredFile } from '#server/providers/storage/port.ts';
import { nameOfFile } from './media.policy.ts';
import { readFiles, readRemoved } from './media.sql.ts';
import { shownAnywhere } from './references.ts';

/** Age at which an image that nothing uses goes. Milliseconds. */
const TEMPORARY_LIFE = 48 * 3_600_000;
/** Age at which a file without a row goes; an upload takes far less. Milliseconds. */
const ORPHAN_LIFE = 3_600_000;
/** Rows or files of one round. */
const ROUND = 500;

export interface Cleaning {
  /** Temporary images that were given up. */
  expired: number;
  /** Temporary images that something shows although nobody marked them; they are kept, and marked. */
  stored: number;
  /** Images whose files and rows are gone. */
  removed: number;
  /** Files without a row, and parts of files. */
  orphans: number;
  /** Files that a row names and the storage does not have. */
  missing: string[];
}

/**
 * Puts rows and files in order; safe to run twice and on several processes at once.
 *
 * @param options.deletedOnly only what is marked as deleted, which needs no look at the whole storage.
 * @throws StorageError; what was done stays done.
 */
export async function cleanUploads(
  db: Db,
  storage: Storage,
  { now, deletedOnly }: { now: Date; deletedOnly: boolean },
): Promise<Cleaning> {
  const done: Cleaning = { expired: 0, stored: 0, removed: 0, orphans: 0, missing: [] };
  if (!deletedOnly) Object.assign(done, await expire(db, now));
  done.removed = await removeDeleted(db, storage);
  if (deletedOnly) return done;
  done.orphans = await storage.sweep(new Date(now.getTime() - ORPHAN_LIFE));
  // Read before the files are listed: every file of these rows was there before.
  const expected = new Set((await readFiles(db, {})).map(({ file }) => file));
  let round: StoredFile[] = [];
  for await (const found of storage.list()) {
    expected.delete(found.file);
    if (found.changedAt.getTime() < now.getTime() - ORPHAN_LIFE) round.push(found);
    if (round.length < ROUND) continue;
    done.orphans += await removeOrphans(db, storage, round);
    round = [];
  }
  done.orphans += await removeOrphans(db, storage, round);
  for (const file of expected) if (await isMissing(db, storage, file)) done.missing.push(file);
  return done;
}

async function expire(db: Db, now: Date): Promise<{ expired: number; stored: number }> {
  const old = and(
    eq(media.status, 'temporary'),
    isNull(media.deletedAt),
    lt(media.createdAt, new Date(now.getTime() - TEMPORARY_LIFE)),
  );
  const shown = shownAnywhere(sql`media.name`);
  const { rowCount: stored } = await db.update(media).set({ status: 'used', usedAt: now }).where(and(old, shown));
  // Whoever marks one as used meanwhile holds its row; the condition is then looked at again.
  const { rowCount: expired } = await db
    .update(media)
    .set({ deletedAt: now })
    .where(and(old, not(shown)));
  return { expired: expired ?? 0, stored: stored ?? 0 };
}

/** Files first: a row whose files could not be removed stays and is tried again. */
async function removeDeleted(db: Db, storage: Storage): Promise<number> {
  let removed = 0;
  for (;;) {
    const rows = await readRemoved(db, { most: ROUND });
    for (const { id, files } of rows) {
      for (const file of files) await storage.remove(file);
      await db.delete(media).where(eq(media.id, id));
      removed++;
    }
    if (rows.length < ROUND) return removed;
  }
}

async function removeOrphans(db: Db, storage: Storage, files: StoredFile[]): Promise<number> {
  if (files.length === 0) return 0;
  const names = files.map(({ file }) => nameOfFile(file) ?? '');
  const rows = await db.select({ name: media.name }).from(media).where(inArray(media.name, names));
  const known = new Set(rows.map(({ name }) => name));
  // What is not named as ours was put there by somebody else, and is not ours to remove.
  const orphans = files.filter((_, i) => names[i] && !known.has(names[i]));
  for (const { file } of orphans) await storage.remove(file);
  return orphans.length;
}

/** Asked again: it may have been removed while the others were listed. */
async function isMissing(db: Db, storage: Storage, file: string): Promise<boolean> {
  if (await storage.open(file)) return false;
  const found = await db
    .select({ id: media.id })
    .from(media)
    .where(and(eq(media.name, nameOfFile(file) ?? ''), isNull(media.deletedAt)));
  return found.length > 0;
}
