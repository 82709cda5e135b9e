import { and, eq, inArray, isNull, lt, not, sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { isDatabaseAway } from '#server/db/failures.ts';
import { media } from '#server/db/tables/media.ts';
import type { Storage, StoredFile } from '#server/providers/storage/port.ts';
import { unclaimedUploads } from './direct-uploads.ts';
import { nameOfFile } from './media.policy.ts';
import { readFiles, readRemoved } from './media.sql.ts';
import { shownAnywhere } from './references.ts';

/** Age after which an unused image is deleted. Milliseconds. */
const TEMPORARY_LIFE = 48 * 3_600_000;
/** Age after which a file without a row is deleted; an upload takes far less. Milliseconds. */
const ORPHAN_LIFE = 3_600_000;
/** Rows or files per batch: limits memory use, whatever their total. */
const BATCH = 500;
/**
 * Temporary images per statement: for each of them the tables that may show it are searched, and one statement for all that accumulated
 * while no job ran may exceed its time limit.
 */
const EXPIRING = 100;
/** Removals in a row that fail, after which the storage itself counts as unavailable. */
const MAX_FAILED = 3;
/** Missing files that are listed by name. */
const MAX_NAMED = 100;
/** Sorts after every name of an image. */
const END = 'g';

export interface Cleaning {
  /** Temporary images that expired unused. */
  expired: number;
  /** Temporary images that a record shows although they were not marked as used; they are retained, and marked. */
  stored: number;
  /** Images whose files and rows were deleted. */
  removed: number;
  /** Files without a row, partial files, and direct uploads that were never completed. */
  orphans: number;
  /** Files that a row refers to and the storage does not have; a hundred at most. */
  missing: string[];
  /** Total number of those files. */
  lost: number;
  /** False when the storage did not list files in the order of names, so that missing files may be undetected. */
  compared: boolean;
  /** Errors of images and files that could not be removed; they are tried again by the next run. */
  failures: unknown[];
}

/**
 * Makes rows and files consistent; safe to repeat and to run in several processes.
 *
 * @param options.deletedOnly only images marked as deleted, which needs no listing of the storage.
 * @throws StorageError when the storage is unavailable; completed steps remain.
 */
export async function cleanUploads(
  db: Db,
  storage: Storage,
  { now, deletedOnly }: { now: Date; deletedOnly: boolean },
): Promise<Cleaning> {
  const failures: unknown[] = [];
  const done: Cleaning = {
    expired: 0,
    stored: 0,
    removed: 0,
    orphans: 0,
    missing: [],
    lost: 0,
    compared: true,
    failures,
  };
  if (!deletedOnly) Object.assign(done, await expire(db, now));
  done.removed = await removeDeleted(db, storage, failures);
  if (deletedOnly) return done;
  const old = now.getTime() - ORPHAN_LIFE;
  done.orphans = await storage.sweep(new Date(old));
  // Files and rows, both in the order of their names, one batch of each at a time.
  let batch: NamedFile[] = [];
  let after = '';
  // Image files are not in folders; files in folders belong to other features.
  for await (const { file, changedAt } of storage.list('/', { flat: true })) {
    const name = nameOfFile(file);
    // A file without a name of our format was stored by others, and must not be deleted.
    if (!name) continue;
    const last = batch.at(-1)?.name ?? after;
    if (name < last) done.compared = false;
    // The files of one image stay in the same batch.
    if (batch.length >= BATCH && name !== last) {
      after = await compare(db, storage, batch, { after, upTo: last, old }, done);
      batch = [];
    }
    batch.push({ file, name, changedAt });
  }
  await compare(db, storage, batch, { after, upTo: END, old }, done);
  done.orphans += await removeEach(unclaimedUploads(storage, old), failures, (file) => storage.remove(file));
  return done;
}

interface NamedFile extends StoredFile {
  /** Name of the image. */
  name: string;
}

/**
 * Deletes files of a batch that have no row, and records the files that rows between two names lack.
 *
 * @returns the name up to which rows were compared.
 */
async function compare(
  db: Db,
  storage: Storage,
  batch: NamedFile[],
  { after, upTo, old }: { after: string; upTo: string; old: number },
  done: Cleaning,
): Promise<string> {
  done.orphans += await removeOrphans(
    db,
    storage,
    batch.filter(({ changedAt }) => changedAt.getTime() < old),
    done.failures,
  );
  if (!done.compared) return upTo;
  const held = new Set(batch.map(({ file }) => file));
  for (let from = after; ; ) {
    const rows = await readFiles(db, { after: from, upTo, max: BATCH });
    for (const { files } of rows)
      for (const file of files) {
        if (held.has(file) || !(await isMissing(db, storage, file))) continue;
        done.lost++;
        if (done.missing.length < MAX_NAMED) done.missing.push(file);
      }
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return upTo;
    from = last.name;
  }
}

async function expire(db: Db, now: Date): Promise<{ expired: number; stored: number }> {
  const old = and(
    eq(media.status, 'temporary'),
    isNull(media.deletedAt),
    // Images in the trash are retained for 30 days.
    isNull(media.trashedAt),
    lt(media.createdAt, new Date(now.getTime() - TEMPORARY_LIFE)),
  );
  const shown = shownAnywhere(sql`media.name`);
  const done = { expired: 0, stored: 0 };
  for (;;) {
    const some = await db.select({ id: media.id }).from(media).where(old).orderBy(media.createdAt).limit(EXPIRING);
    if (some.length === 0) return done;
    const these = and(
      old,
      inArray(
        media.id,
        some.map(({ id }) => id),
      ),
    );
    const { rowCount: stored } = await db.update(media).set({ status: 'used', usedAt: now }).where(and(these, shown));
    // A concurrent marking as used locks the row; the condition is then evaluated again.
    const { rowCount: expired } = await db
      .update(media)
      .set({ deletedAt: now })
      .where(and(these, not(shown)));
    done.stored += stored ?? 0;
    done.expired += expired ?? 0;
    if (some.length < EXPIRING) return done;
  }
}

/**
 * Removes one item after another. One that always fails does not block the others; several in a row mean that the storage is unavailable.
 *
 * @param failures receives the error of each that failed. @returns the number of removed items.
 */
async function removeEach<T>(
  items: Iterable<T> | AsyncIterable<T>,
  failures: unknown[],
  remove: (item: T) => Promise<unknown>,
): Promise<number> {
  let removed = 0;
  let inARow = 0;
  for await (const item of items) {
    try {
      await remove(item);
      removed++;
      inARow = 0;
    } catch (error) {
      inARow++;
      if (inARow === MAX_FAILED || isDatabaseAway(error)) throw error;
      failures.push(error);
    }
  }
  return removed;
}

/** Files first: a row whose files could not be deleted remains and is retried. */
async function removeDeleted(db: Db, storage: Storage, failures: unknown[]): Promise<number> {
  let removed = 0;
  for (;;) {
    // Those that failed are the first ones again.
    const rows = await readRemoved(db, { max: BATCH, skip: failures.length });
    removed += await removeEach(rows, failures, async ({ id, files }) => {
      for (const file of files) await storage.remove(file);
      await db.delete(media).where(eq(media.id, id));
    });
    if (rows.length < BATCH) return removed;
  }
}

async function removeOrphans(db: Db, storage: Storage, files: NamedFile[], failures: unknown[]): Promise<number> {
  if (files.length === 0) return 0;
  const names = [...new Set(files.map(({ name }) => name))];
  const rows = await db.select({ name: media.name }).from(media).where(inArray(media.name, names));
  const known = new Set(rows.map(({ name }) => name));
  const orphans = files.filter(({ name }) => !known.has(name));
  return removeEach(orphans, failures, ({ file }) => storage.remove(file));
}

/** Checked again: image or file may have been added or deleted while the others were listed. */
async function isMissing(db: Db, storage: Storage, file: string): Promise<boolean> {
  if (await storage.open(file)) return false;
  const found = await db
    .select({ id: media.id })
    .from(media)
    .where(and(eq(media.name, nameOfFile(file) ?? ''), isNull(media.deletedAt)));
  return found.length > 0;
}
