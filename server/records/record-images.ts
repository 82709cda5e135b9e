import { eq } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { MediaBucket } from '#contract/domains/media.ts';
import { type Db, joined, type Tx } from '#server/db/client.ts';
import type { Actor } from '#server/lib/audit.ts';
import { type EditableTable, type Editor, lockRecord, type RecordKind, updateRecord } from './records.ts';

/** What records need of whatever keeps images; the service of the domain media is one. */
export interface ImageStore {
  /**
   * The address that a form of the back office may keep for an image: what was uploaded here stays, an address elsewhere
   * becomes our own copy of what is there. Call it before the transaction, which then keeps the image; a copy that is never
   * kept is cleaned away like every abandoned upload.
   *
   * @param options.held the address that the record has already; it may stay, whatever it is.
   * @throws IMAGE_NOT_FETCHED with the reason.
   */
  own(
    imageUrl: string | null,
    options: { bucket: MediaBucket; actor: Actor; held?: string | null },
  ): Promise<string | null>;
  /** Marks an image as used, in the transaction that writes what shows it; foreign addresses pass. @throws NOT_FOUND */
  keep(tx: Tx, imageUrl: string | null, now: Date): Promise<void>;
  /** Gives up an image that a record no longer shows, after the change, in its transaction. */
  release(tx: Tx, imageUrl: string | null, now: Date): Promise<void>;
}

/** Where the images of a kind of record lie, and in which table they are named. */
export interface ImageHome {
  table: PgTable & Record<'id' | 'imageUrl', PgColumn>;
  bucket: MediaBucket;
}

/**
 * The address that a record will have for its image: one that it has already stays, one elsewhere becomes our own copy.
 * Before the transaction, which then takes `swapImage`.
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

/** Part of a change of a record: the image that it shows now is kept, the one before is given up. */
export const swapImage =
  (images: ImageStore, by: Editor) =>
  async (tx: Tx, row: { imageUrl: string | null }, before: { imageUrl: string | null } | null): Promise<void> => {
    if (before && before.imageUrl === row.imageUrl) return;
    await images.keep(tx, row.imageUrl, by.now);
    await images.release(tx, before?.imageUrl ?? null, by.now);
  };

/** Shows another image in a record of one kind; several are locked before the first is changed. */
export interface ImageReplacer {
  /** @throws NOT_FOUND, VERSION_CONFLICT */
  lock(tx: Tx, seen: { id: string; version: number }): Promise<void>;
  /**
   * The other image wherever the record names this one; part of the caller's transaction.
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

/** @param fields of a record that may hold the address of an image, alone or within a text. */
export const imageReplacer = <T extends EditableTable & Record<'imageUrl', PgColumn>>(
  kind: RecordKind<T>,
  fields: readonly string[] = ['imageUrl'],
): ImageReplacer => ({
  lock: async (tx, seen) => void (await lockRecord(tx, kind, seen)),
  replace: async (tx, images, by, seen, { from, to }) => {
    // The types can't follow a table that is a type parameter; it has the column.
    const also = swapImage(images, by) as never;
    await updateRecord(
      joined(tx),
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
