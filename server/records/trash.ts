import { sql } from 'drizzle-orm';
import type { TrashedKind } from '#contract/admin/shared/audit-actions.ts';
import type { AuditField } from '#contract/admin/shared/audit-fields.ts';
import { TRASH_DAYS } from '#contract/limits.ts';
import type { Db } from '#server/db/client.ts';
import { asText } from '#server/db/expressions.ts';
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

/**
 * Deletes records permanently that were in the trash for 30 days, each with an audit entry, and the images that nothing else shows. Safe to
 * run twice and in several processes: a record is deleted by the one that locks it first.
 *
 * @param kinds every kind of record with a trash, in the order of deletion.
 * @returns the number of deleted records of each kind.
 * @throws the failures, after all kinds were processed.
 */
export async function purgeTrash(
  { db, images }: { db: Db; images: Pick<ImageStore, 'release'> },
  kinds: Readonly<Record<TrashedKind, Trash>>,
  now: Date,
): Promise<Record<string, number>> {
  const before = new Date(now.getTime() - TRASH_DAYS * 86_400_000).toISOString();
  const purged: Record<string, number> = {};
  await runEachSettled(
    Object.entries(kinds) as [TrashedKind, Trash][],
    async ([what, { table, show, images: held = [], keep: reason }]) => {
      const keep = reason ? sql.raw(`and not ${reason}`) : sql``;
      purged[what] = await db.transaction(async (tx) => {
        // The returned columns depend on the kind, so the rows are untyped.
        const { rows } = await tx.execute(sql`
        delete from ${sql.raw(table)} where id in (
          select t.id from ${sql.raw(table)} t where t.deleted_at <= ${before} ${keep}
          order by t.deleted_at limit ${MAX_ITEMS} for update skip locked)
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
    },
  );
  return purged;
}
