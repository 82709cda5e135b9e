// Files that are named by what is in them: written once, compared with their name whenever they are read.
import { contentHash, type PinnedType, pinnedName, readPinnedName } from '#server/lib/pinned-files.ts';
import type { Storage } from '#server/providers/storage/port.ts';

/** Writes bytes under their hash; the same bytes again change nothing. @returns the hash. @throws StorageError */
export async function writePinned(storage: Storage, bytes: Uint8Array, type: PinnedType): Promise<string> {
  const hash = contentHash(bytes);
  // What is there and whole stays untouched.
  if (!(await readWhole(storage, hash, type))) await storage.write(pinnedName(hash, type), bytes, type);
  return hash;
}

/** Reads a pinned file by the name in its address; null when it is not there, or damaged. @throws StorageError */
export async function readPinned(storage: Storage, file: string): Promise<Buffer | null> {
  const named = readPinnedName(file);
  return named && readWhole(storage, named.hash, named.type);
}

async function readWhole(storage: Storage, hash: string, type: PinnedType): Promise<Buffer | null> {
  const found = await storage.open(pinnedName(hash, type));
  if (!found) return null;
  const bytes = Buffer.concat(await (await found.stream()).toArray());
  return contentHash(bytes) === hash ? bytes : null;
}
