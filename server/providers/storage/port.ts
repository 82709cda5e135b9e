import type { Readable } from 'node:stream';

export interface StoredFile {
  file: string;
  changedAt: Date;
}

export interface OpenFile {
  bytes: number;
  /**
   * Starts reading, and resolves with the first byte; to be called at most once. A stream that breaks off later is destroyed with
   * StorageError.
   *
   * @throws StorageError
   */
  stream: () => Promise<Readable>;
}

/**
 * Storage of files; a name may contain folders, as in `ledger/tile/0/000`. Every method throws StorageError and nothing
 * else.
 */
export interface Storage {
  /** Location for the log. Never contains a password. */
  readonly target: string;
  /** Resolves when the whole file is stored durably. When it throws, no incomplete file exists under this name. */
  write(file: string, bytes: Uint8Array, type: string): Promise<void>;
  /** Null if the file does not exist. */
  open(file: string): Promise<OpenFile | null>;
  /** Idempotent. */
  remove(file: string): Promise<void>;
  /**
   * Lists files page by page, so that for a bucket at most a thousand names are in memory. Each page is in the order of
   * names; the pages of S3 are in that order too. Files that others stored under names which `open` would refuse are left out.
   *
   * @param folder only files below it, ending in a slash; all by default.
   * @param options.flat only files in the folder itself, not in its subfolders.
   */
  list(folder?: string, options?: { flat?: boolean }): AsyncIterable<StoredFile>;
  /** Deletes incomplete files that were last written before `before`; returns their number. */
  sweep(before: Date): Promise<number>;
  close(): void;
  /** For uploads by browsers; absent if the storage does not support them. */
  readonly direct?: DirectWrites;
}

export interface DirectWrites {
  /** Origin of these requests. */
  origin(): Promise<string>;
  /**
   * A presigned URL for one PUT of exactly this number of bytes with this type. It does not permit reading.
   *
   * @param options.seconds its validity.
   */
  sign(file: string, options: { type: string; bytes: number; seconds: number }): Promise<string>;
}

/** The storage is full or unavailable. */
export class StorageError extends Error {
  override name = 'StorageError';
  readonly reason: 'full' | 'down';

  constructor(cause: unknown) {
    const reason = reasonOf(cause);
    super(reason === 'full' ? 'The storage is full' : 'The storage is not available', { cause });
    this.reason = reason;
  }
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'QuotaExceeded', 'XMinioStorageFull', 'InsufficientCapacity']);

/** The driver's error and its causes. */
function* chain(error: unknown) {
  for (
    let at = error as DriverError | undefined, depth = 0;
    at && depth < 6;
    at = at.cause as DriverError | undefined, depth++
  )
    yield at;
}
interface DriverError {
  code?: string;
  name?: string;
  cause?: unknown;
  $metadata?: { httpStatusCode?: number };
}

function reasonOf(error: unknown): 'full' | 'down' {
  for (const { code, name, $metadata } of chain(error))
    if (FULL.has(code ?? '') || FULL.has(name ?? '') || $metadata?.httpStatusCode === 507) return 'full';
  return 'down';
}

/** True if the driver's error means that the file does not exist. */
export function isAbsent(error: unknown): boolean {
  for (const { code, $metadata } of chain(error))
    if (code === 'ENOENT' || $metadata?.httpStatusCode === 404) return true;
  return false;
}
