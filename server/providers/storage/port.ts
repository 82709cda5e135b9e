import type { Readable } from 'node:stream';

export interface StoredFile {
  file: string;
  changedAt: Date;
}

export interface OpenFile {
  bytes: number;
  /** Begins to read; call it at most once. */
  stream: () => Promise<Readable>;
}

/** A place for files; a name may have folders, `ledger/tile/0/000`. Every method throws StorageError and nothing else. */
export interface Storage {
  /** Where the files are, for the log. Never with a password. */
  readonly target: string;
  /** Resolves when the whole file is there for good. When it throws, there is no part of it under this name. */
  write(file: string, bytes: Uint8Array, type: string): Promise<void>;
  /** Null when there is no such file. */
  open(file: string): Promise<OpenFile | null>;
  /** Doing it twice changes nothing. */
  remove(file: string): Promise<void>;
  /**
   * One page of names at a time: of a bucket never more than a thousand are in memory. Each page is in the order of its names;
   * S3's pages follow each other in that order too.
   *
   * @param folder only what is below it, ending in a slash; else everything.
   * @param options.flat only what lies in the folder itself, and not in folders below it.
   */
  list(folder?: string, options?: { flat?: boolean }): AsyncIterable<StoredFile>;
  /** Removes parts of files whose writer died before `before`; says how many. */
  sweep(before: Date): Promise<number>;
  close(): void;
  /** For files that browsers write themselves; absent where they can't. */
  readonly direct?: DirectWrites;
}

export interface DirectWrites {
  /** Scheme and host that these requests go to. */
  origin(): Promise<string>;
  /**
   * An address for one PUT of exactly so many bytes of this type. Nobody reads the file by it.
   *
   * @param options.seconds how long it counts.
   */
  sign(file: string, options: { type: string; bytes: number; seconds: number }): Promise<string>;
}

/** The storage has no room, or can't be used now. */
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

/** What a driver says, and what that was caused by. */
function* chain(error: unknown) {
  for (let at = error as Fault | undefined, depth = 0; at && depth < 6; at = at.cause as Fault | undefined, depth++)
    yield at;
}
interface Fault {
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

/** A driver's word for 'there is no such file'. */
export function isAbsent(error: unknown): boolean {
  for (const { code, $metadata } of chain(error))
    if (code === 'ENOENT' || $metadata?.httpStatusCode === 404) return true;
  return false;
}
