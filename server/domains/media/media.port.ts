import type { ImageType, MediaBucket, UploadedImage } from '#contract/domains/media.ts';
import type { Actor } from '#server/lib/audit.ts';
import type { PinnedType } from '#server/lib/pinned-files.ts';
import type { OpenFile } from '#server/providers/storage/port.ts';
import type { ImageStore } from '#server/records/record-images.ts';
import type { Cleaning } from './cleaning.ts';

/** Owner of an image: a member, a guest's draft, or a form; several for a member's draft or form. */
export interface MediaOwner {
  userId?: string | undefined;
  draftId?: string | undefined;
  /** SHA-256 of the key that a form generated. */
  claim?: Buffer | undefined;
}

export interface Upload {
  bytes: Buffer;
  /** Image type that the sender declared; null for none. */
  declared: ImageType | null;
  bucket: MediaBucket;
  owner: MediaOwner;
  actor: Actor;
}

/** Uploads from browsers directly to the storage, which are not served before they were checked. */
export interface DirectUploads {
  /** A random name, and the URL for one PUT of exactly these bytes. @throws StorageError */
  place(type: ImageType, bytes: number): Promise<{ name: string; url: string }>;
  /**
   * The uploaded bytes, limited to the maximum of an image.
   *
   * @throws UploadRefused NOT_ARRIVED, FILE_TOO_LARGE; StorageError.
   */
  read(name: string): Promise<Buffer>;
  /** Idempotent; files that can't be deleted are left to the next cleaning. */
  drop(name: string): Promise<void>;
}

/** A file of an image. */
interface ImageFile extends OpenFile {
  /** False while the database cannot be read: the image may have been removed, and caches of others must not store it. */
  checked: boolean;
}

/** Stores and serves images; one per process. */
export interface MediaService extends ImageStore {
  /**
   * Validates an image, encodes it in all sizes and stores it as a temporary one; resolves when files and row are durable.
   *
   * @throws UploadRefused, BUSY, StorageError; then nothing is stored.
   */
  store(upload: Upload): Promise<UploadedImage>;
  /**
   * The same with an image from an external URL, for admins who enter it.
   *
   * @throws ImageNotFetched, and errors of `store`.
   */
  copy(input: Pick<Upload, 'bucket' | 'owner' | 'actor'> & { url: string }): Promise<UploadedImage>;
  /** One file of an image; null when it does not exist or was removed. @throws StorageError */
  open(file: string): Promise<ImageFile | null>;
  /**
   * The square PNG for wallets of one of our images ('/media/…'); null when it does not exist.
   *
   * @throws StorageError
   */
  walletImage(imageUrl: string): Promise<Buffer | null>;
  /**
   * Stores bytes under their own SHA-256, permanently: they are never deleted or replaced.
   *
   * @returns the hash, in hex.
   * @throws StorageError
   */
  pin(bytes: Uint8Array, type: PinnedType): Promise<string>;
  /** Pinned bytes, by the name of their file; null when they do not exist, or do not match the hash. @throws StorageError */
  openPinned(file: string): Promise<Buffer | null>;
  /** @throws UploadRefused when a guest's draft has no room for another file. */
  checkRoom(owner: MediaOwner, bytes: number): Promise<void>;
  /** Null when the storage does not support uploads from browsers. */
  readonly direct: DirectUploads | null;
  /** Implementation of the job clean-uploads; `looked`: number of computed image keys. @throws StorageError */
  clean(options: { now: Date; deletedOnly: boolean }): Promise<Cleaning & { looked: number }>;
}
