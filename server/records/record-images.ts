import { eq } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { MediaBucket } from '#contract/domains/media.ts';
import { type Db, type Tx, withinTransaction } from '#server/db/client.ts';
import type { Actor } from '#server/lib/audit.ts';
import { type EditableTable, type Editor, lockRecord, type RecordKind, updateRecord } from './records.ts';

/** The image storage that records depend on; implemented by the service of the domain media. */
export interface ImageStore {
  /**
   * URL of an image for a record: an image uploaded here is used as it is, an external one is copied. To be called
   * before the transaction that uses the image; an unused copy is deleted like every abandoned upload.
   *
   * @param options.held the current URL of the record, which is always accepted.
   * @throws IMAGE_NOT_FETCHED with the reason.
   */
  own(
    imageUrl: string | null,
    options: { bucket: MediaBucket; actor: Actor; held?: string | null },
  ): Promise<string | null>;
  /** Marks an image as used, in the transaction that stores its URL; external URLs are ignored. @throws NOT_FOUND */
  markUsed(tx: Tx, imageUrl: string | null, now: Date): Promise<void>;
  /** Marks an image that a record no longer shows as unused, after the change, in its transaction. */
  release(tx: Tx, imageUrl: string | null, now: Date): Promise<void>;
}

/** Bucket of a record kind's images, and the table that stores their URLs. */
export interface ImageHome {
  table: PgTable & Record<'id' | 'imageUrl', PgColumn>;
  bucket: MediaBucket;
}

/**
 * URL of a record's image: its current one is accepted, an external one is copied. To be called before the transaction,
 * which then uses `swapImage`.
 *
 * @param id of the record; null for a new one.
 * @throws IMAGE_NOT_FETCHED
 */
export async function recordImage(
  db: Db,
  images: ImageStore,
  by: Editor,
  { table, bucket }: ImageHome,
  id: string | null,
  wanted: string | null,
): Promise<string | null> {
  const [held] = id
    ? await db
        .select({ imageUrl: table.imageUrl })
        .from(table as PgTable)
        .where(eq(table.id, id))
    : [];
  return images.own(wanted, { bucket, actor: by.actor, held: (held?.imageUrl as string | null) ?? null });
}

/** Part of a change of a record: marks its new image as used and the previous one as unused. */
export const swapImage =
  (images: ImageStore, by: Editor) =>
  async (tx: Tx, row: { imageUrl: string | null }, before: { imageUrl: string | null } | null): Promise<void> => {
    if (before && before.imageUrl === row.imageUrl) return;
    await images.markUsed(tx, row.imageUrl, by.now);
    await images.release(tx, before?.imageUrl ?? null, by.now);
  };

/** Replaces an image in records of one kind; all records are locked before the first one is changed. */
export interface ImageReplacer {
  /** @throws NOT_FOUND, VERSION_CONFLICT */
  lock(tx: Tx, seen: { id: string; version: number }): Promise<void>;
  /**
   * Replaces the image in all fields of the record; part of the caller's transaction.
   *
   * @throws NOT_FOUND, VERSION_CONFLICT
   */
  replace(
    tx: Tx,
    images: ImageStore,
    by: Editor,
    seen: { id: string; version: number },
    names: { from: string; to: string },
  ): Promise<void>;
}

/** @param fields fields that may contain the URL of an image, alone or within a text. */
export const imageReplacer = <T extends EditableTable & Record<'imageUrl', PgColumn>>(
  kind: RecordKind<T>,
  fields: readonly string[] = ['imageUrl'],
): ImageReplacer => ({
  lock: async (tx, seen) => void (await lockRecord(tx, kind, seen)),
  replace: async (tx, images, by, seen, { from, to }) => {
    // Drizzle's types cannot be inferred for a table that is a type parameter; it has the column.
    const also = swapImage(images, by) as never;
    await updateRecord(
      withinTransaction(tx),
      kind,
      by,
      seen,
      (row) =>
        Object.fromEntries(
          fields.map((field) => {
            const value = (row as Record<string, unknown>)[field];
            return [field, typeof value === 'string' ? value.replaceAll(from, to) : value];
          }),
        ) as never,
      { also },
    );
  },
});
