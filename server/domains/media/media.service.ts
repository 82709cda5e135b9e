import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { ORPCError } from '@orpc/server';
import { and, count, eq, isNotNull, isNull, not, or, type SQL, sql } from 'drizzle-orm';
import { DRAFT_IMAGES, type UploadedImage } from '#contract/domains/media.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { lockByName } from '#server/db/server.sql.ts';
import { forumPostImages, forumPosts } from '#server/db/tables/forum.ts';
import { media, type StoredVariant } from '#server/db/tables/media.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { type Storage, StorageError } from '#server/providers/storage/port.ts';
import type { ImageStore } from '#server/records/record-images.ts';
import { cleanUploads } from './cleaning.ts';
import { directUploads } from './direct-uploads.ts';
import type { Rendering } from './encode-image.ts';
import { createImageFetcher, type ImageFetcher, ImageNotFetched } from './fetch-image.ts';
import { fillImageKeys, NO_IMAGE_KEY } from './fill-image-keys.ts';
import { createImageProcessor, type ImageProcessor } from './image-processor.ts';
import { fileOf, nameOfFile, nameOfUrl, PNG_SIDE, UploadRefused, urlOf } from './media.policy.ts';
import type { MediaOwner, MediaService, Upload } from './media.port.ts';
import { readPinned, writePinned } from './pinned.ts';
import { shownAnywhere } from './references.ts';

/** For tests of other domains, which replace the fetcher. */
export { ImageNotFetched };

export function createMediaService(options: {
  db: Db;
  storage: Storage;
  now: () => Date;
  processor?: ImageProcessor;
  /** Fetches external images. */
  fetchImage?: ImageFetcher | undefined;
}): MediaService {
  const { db, storage, now } = options;
  const processor = options.processor ?? createImageProcessor();
  const fetchImage = options.fetchImage ?? createImageFetcher();
  const service: MediaService = {
    async copy({ url, ...upload }) {
      return service.store({ ...upload, bytes: await fetchImage(url), declared: null });
    },
    async store(upload) {
      const image = await processor({
        bytes: upload.bytes,
        declared: upload.declared,
        priority: upload.owner.userId ? 'known' : 'stranger',
      });
      const name = randomBytes(16).toString('hex');
      const files = image.variants.map((variant) => ({
        ...variant,
        file: fileOf(name, variant.side, variant.type),
      }));
      const undo = () => Promise.allSettled(files.map(({ file }) => storage.remove(file)));
      try {
        for (const { file, bytes, type } of files) await storage.write(file, bytes, type);
      } catch (error) {
        await undo();
        throw error;
      }
      // Files first: if the process dies here, clean-uploads deletes the files without a row.
      try {
        return await db.transaction((tx) => insert(tx, name, upload, image, files.map(describe), now()));
      } catch (error) {
        // After any other failure the row may exist all the same: the result of its commit is unknown.
        if (error instanceof UploadRefused || error instanceof ORPCError) await undo();
        throw error;
      }
    },
    async open(file) {
      const name = nameOfFile(file);
      const removed = name === null || (await isRemoved(db, name));
      if (removed) return null;
      const found = await storage.open(file);
      return found && { ...found, checked: removed === false };
    },
    async walletImage(imageUrl) {
      const name = nameOfUrl(imageUrl);
      const found = name && (await service.open(fileOf(name, PNG_SIDE, 'image/png')));
      return found ? Buffer.concat(await (await found.stream()).toArray()) : null;
    },
    pin: (bytes, type) => writePinned(storage, bytes, type),
    openPinned: (file) => readPinned(storage, file),
    own: (imageUrl, options) => ownImage(service, imageUrl, options),
    markUsed: (tx, imageUrl, at) => markImageUsed(tx, imageUrl, 'anyone', at),
    release: releaseMedia,
    direct: directUploads(storage),
    checkRoom: (owner, bytes) => db.transaction((tx) => checkRoom(tx, owner, bytes)),
    clean: async ({ now: at, deletedOnly }) => ({
      ...(await cleanUploads(db, storage, { now: at, deletedOnly })),
      looked: deletedOnly ? 0 : await fillImageKeys(db, storage, processor),
    }),
  };
  return service;
}

/** Only its author and staff know the image URLs of a post that waits for a review. */
const WAITS = sql`exists (select 1 from forum_reviews v where v.text_id = ${forumPosts.id} and v.state = 'waiting')`;

/**
 * True when an image is not served: it is deleted or in the trash, or its post is hidden and not waiting for a review. Files are
 * deleted by the next clean-uploads. Null while the database is unavailable: then files are served.
 */
const isRemoved = (db: Db, name: string): Promise<boolean | null> =>
  db
    .select({ id: media.id })
    .from(media)
    .leftJoin(forumPostImages, eq(forumPostImages.url, urlOf(name)))
    .leftJoin(forumPosts, eq(forumPosts.id, forumPostImages.postId))
    .where(
      and(
        eq(media.name, name),
        or(isNotNull(media.deletedAt), isNotNull(media.trashedAt), and(eq(forumPosts.isHidden, true), not(WAITS))),
      ),
    )
    .then(
      (rows) => rows.length > 0,
      () => null,
    );

const describe = ({
  file,
  type,
  width,
  height,
  bytes,
}: Rendering['variants'][number] & { file: string }): StoredVariant => ({
  file,
  type,
  width,
  height,
  bytes: bytes.length,
});

async function insert(
  tx: Tx,
  name: string,
  { bytes, bucket, owner, actor }: Upload,
  { width, height, frames, imageKey }: Rendering,
  variants: StoredVariant[],
  now: Date,
): Promise<UploadedImage> {
  const id = randomUUID();
  const sha256 = createHash('sha256').update(bytes).digest();
  await checkRoom(tx, owner, bytes.length);
  await tx.insert(media).values({
    id,
    name,
    bucket,
    ownerUserId: owner.userId ?? null,
    ownerDraftId: owner.draftId ?? null,
    ownerClaim: owner.claim ?? null,
    width,
    height,
    frames,
    bytes: bytes.length,
    sha256,
    variants,
    imageKey: imageKey ?? NO_IMAGE_KEY,
    createdAt: now,
  });
  await audit(tx, actor, {
    action: 'image.uploaded',
    resourceType: 'image',
    resourceId: id,
    after: { bucket, draftId: owner.draftId, bytes: bytes.length, sha256: sha256.toString('hex') },
  });
  return { id, url: urlOf(name), width, height, frames };
}

async function checkRoom(tx: Tx, { userId, draftId, claim }: MediaOwner, bytes: number): Promise<void> {
  if (userId) return;
  if (claim && !draftId) {
    // Serializes uploads of the same form.
    await lockByName(tx, { names: [claim.toString('hex')] });
    return checkHeld(tx, eq(media.ownerClaim, claim), bytes);
  }
  if (!draftId) return;
  // The draft's row is the lock, so that concurrent uploads can't exceed the limit together.
  const draft = await tx
    .select({ id: tokenCreationSubmissions.id })
    .from(tokenCreationSubmissions)
    .where(eq(tokenCreationSubmissions.id, draftId))
    .for('no key update');
  if (draft.length === 0) throw new UploadRefused('UNAUTHORIZED');
  await checkHeld(tx, eq(media.ownerDraftId, draftId), bytes);
}

async function checkHeld(tx: Tx, whose: SQL, bytes: number): Promise<void> {
  const [sums] = await tx
    .select({ files: count(), bytes: sql`coalesce(sum(${media.bytes}), 0)`.mapWith(Number) })
    .from(media)
    .where(and(whose, isNull(media.deletedAt)));
  const held = sums ?? { files: 0, bytes: 0 };
  if (held.files >= DRAFT_IMAGES.files || held.bytes + bytes > DRAFT_IMAGES.bytes)
    throw new UploadRefused('DRAFT_FULL');
}

/** Without any owner it matches nothing. */
const ownedBy = ({ userId, draftId, claim }: MediaOwner): SQL =>
  or(
    userId ? eq(media.ownerUserId, userId) : undefined,
    draftId ? eq(media.ownerDraftId, draftId) : undefined,
    claim ? eq(media.ownerClaim, claim) : undefined,
  ) ?? sql`false`;

/** Whose images may be used: the owner's, or for staff anyone's. */
type Claim = MediaOwner | 'anyone';

/**
 * Marks an own image as used, in the transaction that writes the record that shows it. From then on it is retained until it is
 * released. External URLs are ignored, because forms accept uploads and external URLs alike.
 *
 * @throws NOT_FOUND when the image does not exist, or belongs to another owner.
 */
export async function markImageUsed(tx: Tx, imageUrl: string | null, owner: Claim, now: Date): Promise<void> {
  if (!imageUrl?.startsWith('/media/')) return;
  const { rowCount } = await tx
    .update(media)
    .set({ status: 'used', usedAt: sql`coalesce(${media.usedAt}, ${now.toISOString()})` })
    .where(
      and(
        eq(media.name, nameOfUrl(imageUrl) ?? ''),
        isNull(media.deletedAt),
        isNull(media.trashedAt),
        owner === 'anyone' ? undefined : ownedBy(owner),
      ),
    );
  if (!rowCount) fail('NOT_FOUND', { what: 'image' });
}

async function ownImage(
  service: Pick<MediaService, 'copy'>,
  ...[imageUrl, { bucket, actor, held }]: Parameters<ImageStore['own']>
): Promise<string | null> {
  if (imageUrl === null || imageUrl === held || nameOfUrl(imageUrl)) return imageUrl;
  try {
    const { url } = await service.copy({ url: imageUrl, bucket, actor, owner: { userId: actor.id ?? undefined } });
    return url;
  } catch (error) {
    if (error instanceof ImageNotFetched) fail('IMAGE_NOT_FETCHED', { why: error.why });
    if (error instanceof UploadRefused)
      fail('IMAGE_NOT_FETCHED', { why: error.code === 'FILE_TYPE' ? 'type' : 'refused' });
    if (error instanceof StorageError) fail('IMAGE_NOT_FETCHED', { why: 'storage' });
    throw error;
  }
}

/**
 * Releases an image that was replaced or removed; call it after the change, in its transaction. It is retained while another row
 * shows it. The next clean-uploads deletes the files. External URLs are ignored.
 */
export async function releaseMedia(tx: Tx, imageUrl: string | null, now: Date): Promise<void> {
  const name = nameOfUrl(imageUrl);
  if (!name) return;
  // Locked first, so that the next statement sees a concurrent marking as used.
  await tx.select({ id: media.id }).from(media).where(eq(media.name, name)).for('update');
  await tx
    .update(media)
    .set({ deletedAt: now })
    .where(and(eq(media.name, name), isNull(media.deletedAt), not(shownAnywhere(sql`media.name`))));
}

/**
 * Removes an own unused image; the caller has the files deleted. A used one is left unchanged.
 *
 * @returns true when it was removed.
 * @throws NOT_FOUND when the image does not exist, or belongs to another owner.
 */
export async function removeMedia(
  tx: Tx,
  actor: Actor,
  owner: MediaOwner,
  mediaId: string,
  now: Date,
): Promise<boolean> {
  const [own] = await tx
    .select({ status: media.status })
    .from(media)
    .where(and(eq(media.id, mediaId), isNull(media.deletedAt), ownedBy(owner)))
    .for('update');
  if (!own) return fail('NOT_FOUND', { what: 'image' });
  if (own.status === 'used') return false;
  await tx.update(media).set({ deletedAt: now }).where(eq(media.id, mediaId));
  await audit(tx, actor, { action: 'image.removed', resourceType: 'image', resourceId: mediaId });
  return true;
}
