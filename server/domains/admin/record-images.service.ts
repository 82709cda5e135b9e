import { eq } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { MediaBucket } from '#contract/media.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { keepImageUrl, type MediaDesk, ownImage, releaseMedia } from '#server/domains/media/media.service.ts';
import type { Editor } from './records.service.ts';

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
  media: MediaDesk,
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
  return ownImage(media, wanted, { bucket, actor: by.actor, held: (held?.imageUrl as string | null) ?? null });
}

/** Part of a change of a record: the image that it shows now is kept, the one before is given up. */
export const swapImage =
  (by: Editor) =>
  async (tx: Tx, row: { imageUrl: string | null }, before: { imageUrl: string | null } | null): Promise<void> => {
    if (before && before.imageUrl === row.imageUrl) return;
    await keepImageUrl(tx, row.imageUrl, 'anyone', by.now);
    await releaseMedia(tx, before?.imageUrl ?? null, by.now);
  };
