import type { ImageType, MediaBucket, UploadedImage } from '#contract/domains/media.ts';
import type { Actor } from '#server/lib/audit.ts';
import type { PinnedType } from '#server/lib/pinned-files.ts';
import type { OpenFile } from '#server/providers/storage/port.ts';
import type { ImageStore } from '#server/records/record-images.ts';
import type { Cleaning } from './cleaning.ts';

/** Whose an image is: a member's, of the draft that a guest holds, or of a form; several when a member is at work there. */
export interface MediaOwner {
  userId?: string | undefined;
  draftId?: string | undefined;
  /** SHA-256 of the key that a form made for itself. */
  claim?: Buffer | undefined;
}

export interface Upload {
  bytes: Buffer;
  /** What the sender says it is; null says nothing. */
  declared: ImageType | null;
  bucket: MediaBucket;
  owner: MediaOwner;
  actor: Actor;
}

/** Images that browsers send straight to the storage, which nobody sees before they were checked. */
export interface DirectUploads {
  /** A place that nobody else knows, and the address for one PUT of exactly these bytes. @throws StorageError */
  place(type: ImageType, bytes: number): Promise<{ name: string; url: string }>;
  /**
   * The bytes that lie there, at most as many as an image may have.
   *
   * @throws UploadRefused NOT_ARRIVED, FILE_TOO_LARGE; StorageError.
   */
  read(name: string): Promise<Buffer>;
  /** Doing it twice changes nothing; what it can't remove goes with the next cleaning. */
  drop(name: string): Promise<void>;
}

/** Where images are handed in and out; one per process. */
export interface MediaService extends ImageStore {
  /**
   * Checks an image, encodes it in all sizes and keeps it as a temporary one; answers when files and row are safe.
   *
   * @throws UploadRefused, BUSY, StorageError; then nothing of it stays.
   */
  store(upload: Upload): Promise<UploadedImage>;
  /**
   * The same with an image that is somewhere on the web, for admins who name its address.
   *
   * @throws ImageNotFetched, and what `store` throws.
   */
  copy(input: Pick<Upload, 'bucket' | 'owner' | 'actor'> & { url: string }): Promise<UploadedImage>;
  /** One file of an image; null for what is not there, and for what was removed. @throws StorageError */
  open(file: string): Promise<OpenFile | null>;
  /**
   * The square PNG that wallets get of an image of ours ('/media/…'); null when it is not there.
   *
   * @throws StorageError
   */
  walletImage(imageUrl: string): Promise<Buffer | null>;
  /**
   * Keeps bytes under their own SHA-256, for ever: nothing removes or replaces them.
   *
   * @returns the hash, in hex.
   * @throws StorageError
   */
  pin(bytes: Uint8Array, type: PinnedType): Promise<string>;
  /** Bytes that were pinned, by the name of their file; null when they are not there, or are not those bytes. @throws StorageError */
  openPinned(file: string): Promise<Buffer | null>;
  /** @throws UploadRefused when a guest's draft has no room for another file. */
  checkRoom(owner: MediaOwner, bytes: number): Promise<void>;
  /** Null where the storage takes nothing from browsers. */
  readonly direct: DirectUploads | null;
  /** What the job clean-uploads does; `looked`: images that got their image key. @throws StorageError */
  clean(options: { now: Date; deletedOnly: boolean }): Promise<Cleaning & { looked: number }>;
}
