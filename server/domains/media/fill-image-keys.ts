import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { media } from '#server/db/tables/media.ts';
import { type Storage, StorageError } from '#server/providers/storage/port.ts';
import type { ImageProcessor } from './image-processor.ts';
import { fileOf, UploadRefused, WEBP_SIDES } from './media.policy.ts';

/** Key of an image without distinguishing features: it was processed, and resembles no other. */
export const NO_IMAGE_KEY = '0'.repeat(128);
/** Images per run: each takes a fraction of a second of the image process. */
const BATCH_SIZE = 100;
/** Images in a row that can't be read, after which the others could not either. */
const MAX_FAILED = 3;

/**
 * Computes missing image keys of older images, in random order, so that damaged ones do not block others; forum images are not compared and get none.
 *
 * @returns the number of computed keys. @throws StorageError after the other images, unless several in a row can't be read.
 */
export async function fillImageKeys(db: Db, storage: Storage, process: ImageProcessor): Promise<number> {
  const rows = await db
    .select({ id: media.id, name: media.name, bucket: media.bucket })
    .from(media)
    .where(and(isNull(media.imageKey), isNull(media.deletedAt)))
    .orderBy(sql`random()`)
    .limit(BATCH_SIZE);
  let looked = 0;
  let inARow = 0;
  let failure: StorageError | undefined;
  for (const { id, name, bucket } of rows) {
    try {
      const bytes = bucket === 'forum-images' ? null : await readImage(storage, name);
      inARow = 0;
      const key = bytes && (await keyOf(process, bytes));
      await db
        .update(media)
        .set({ imageKey: key ?? NO_IMAGE_KEY })
        .where(eq(media.id, id));
      looked++;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      failure = error;
      inARow++;
      // The storage itself is unavailable.
      if (inARow === MAX_FAILED) break;
    }
  }
  if (failure) throw failure;
  return looked;
}

async function readImage(storage: Storage, name: string): Promise<Buffer | null> {
  const found = await storage.open(fileOf(name, WEBP_SIDES[1], 'image/webp'));
  return found && Buffer.concat(await (await found.stream()).toArray());
}

/** Null when the file is not a valid image any more; throws when the image process is busy, and the next run continues. */
async function keyOf(process: ImageProcessor, bytes: Buffer): Promise<string | null> {
  try {
    return (await process({ bytes, declared: null })).imageKey;
  } catch (error) {
    if (error instanceof UploadRefused) return null;
    throw error;
  }
}
