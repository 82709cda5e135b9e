import { type SQL, sql } from 'drizzle-orm';
import type { TrashedKind } from '#contract/admin/shared/audit-actions.ts';
import type { AuditField } from '#contract/admin/shared/audit-fields.ts';
import { TRASH_DAYS } from '#contract/limits.ts';
import type { Db } from '#server/db/client.ts';
import { asText } from '#server/db/expressions.ts';
import { isDatabaseAway, isOverLimit } from '#server/db/failures.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import type { ImageStore } from './record-images.ts';
import { forgetRecords } from './versions.ts';

/** URLs of images that are stored here, within a text. */
const IMAGE_URLS = /\/media\/[\w-]+\.\w+/g;

/** Column of a field, with the field's name as alias. */
const column = (field: AuditField) =>
  `${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} as "${field}"`;

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };
/** Records of one kind per run; the next run continues. */
const MAX_ITEMS = 500;

/** Configuration of a kind of record for its trash. */
export interface Trash {
  /** The table's name in PostgreSQL; it has `id` and `deleted_at`. */
  table: string;
  /** Fields that the audit log stores of a deleted record. */
  show: readonly AuditField[];
  /** Columns that contain the URL of an image, alone or within a text; the image is released with the record. */
  images?: readonly string[];
  /**
   * SQL condition on a row `t` that must not be deleted, such as a post with comments of others, or the winner of a
   * round.
   */
  keep?: string;
}

interface Purging {
  db: Db;
  images: Pick<ImageStore, 'release'>;
  now: Date;
}

/** Condition for rows `t` of a kind whose time in the trash is over. */
const isOver = ({ keep }: Trash, now: Date) =>
  sql`t.deleted_at <= ${new Date(now.getTime() - TRASH_DAYS * 86_400_000).toISOString()} ${keep ? sql.raw(`and not ${keep}`) : sql``}`;

/** Deletes some rows of a kind in one transaction. @param which SQL that selects their ids from the table `t`. */
const purgeSome = ({ db, images, now }: Purging, what: TrashedKind, trash: Trash, which: SQL): Promise<number> =>
  db.transaction(async (tx) => {
    const { table, show, images: held = [] } = trash;
    // The returned columns depend on the kind, so the rows are untyped.
    const { rows } = await tx.execute(sql`
      delete from ${sql.raw(table)} where id in (select t.id from ${sql.raw(table)} t where ${which} for update skip locked)
      returning id, concat_ws(' ', ${sql.raw([`''`, ...held].join(', '))}) as images, ${sql.raw(show.map(column).join(', '))}`);
    await forgetRecords(
      tx,
      what,
      rows.map(({ id }) => asText(id)),
    );
    for (const { id, images: urls, ...shown } of rows) {
      for (const url of new Set(asText(urls).match(IMAGE_URLS))) await images.release(tx, url, now);
      await audit(tx, SYSTEM, {
        action: `${what}.purged`,
        resourceType: what,
        resourceId: asText(id),
        before: shown,
      });
    }
    return rows.length;
  });

/** Deletes them one by one, so that a record which can't be deleted does not block the others. @returns the number of deleted ones. */
async function purgeEach(purging: Purging, what: TrashedKind, trash: Trash): Promise<number> {
  const over = isOver(trash, purging.now);
  const { rows } = await purging.db.execute(
    sql`select t.id from ${sql.raw(trash.table)} t where ${over} order by t.deleted_at limit ${MAX_ITEMS}`,
  );
  let purged = 0;
  await runEachSettled(rows, async ({ id }) => {
    purged += await purgeSome(purging, what, trash, sql`${over} and t.id = ${asText(id)}`);
  });
  return purged;
}

/**
 * Deletes records permanently that were in the trash for 30 days, each with an audit entry, and the images that nothing else shows. Safe to
 * run twice and in several processes: a record is deleted by the one that locks it first. A record that can't be deleted, or not in time,
 * does not prevent the deletion of others.
 *
 * @param kinds every kind of record with a trash, in the order of deletion.
 * @returns the number of deleted records of each kind.
 * @throws the failures, after all kinds were processed.
 */
export async function purgeTrash(
  { db, images }: Omit<Purging, 'now'>,
  kinds: Readonly<Record<TrashedKind, Trash>>,
  now: Date,
): Promise<Record<string, number>> {
  const purging = { db, images, now };
  const purged: Record<string, number> = {};
  await runEachSettled(Object.entries(kinds) as [TrashedKind, Trash][], async ([what, trash]) => {
    const some = sql`${isOver(trash, now)} order by t.deleted_at limit ${MAX_ITEMS}`;
    purged[what] = await purgeSome(purging, what, trash, some).catch((error: unknown) => {
      if (isDatabaseAway(error) && !isOverLimit(error)) throw error;
      return purgeEach(purging, what, trash);
    });
  });
  return purged;
}
