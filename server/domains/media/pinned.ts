// Content-addressed files: written once, and verified against their name on every read.
import { contentHash, type PinnedType, pinnedName, readPinnedName } from '#server/lib/pinned-files.ts';
import type { Storage } from '#server/providers/storage/port.ts';

/** Writes bytes under their hash; idempotent. @returns the hash. @throws StorageError */
export async function writePinned(storage: Storage, bytes: Uint8Array, type: PinnedType): Promise<string> {
  const hash = contentHash(bytes);
  // An existing intact file is not overwritten.
  if (!(await readWhole(storage, hash, type))) await storage.write(pinnedName(hash, type), bytes, type);
  return hash;
}

/** Reads a pinned file by the name in its URL; null when it does not exist, or is damaged. @throws StorageError */
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
