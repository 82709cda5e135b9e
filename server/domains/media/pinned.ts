// Files that are named by what is in them: pictures and descriptions of tokens, whose hash stands on a chain.
import { createHash } from 'node:crypto';
import type { Storage } from '#server/providers/storage/port.ts';

/** What is kept for ever, and how its file ends. */
const ENDINGS = { 'image/png': 'png', 'application/json': 'json' } as const;
export type PinnedType = keyof typeof ENDINGS;

/** Folder in the storage and in addresses. What lies in folders, clean-uploads leaves alone. */
const FOLDER = 'token-files';
const FILE = /^([0-9a-f]{64})\.(png|json)$/;

/** Path of the public address of a pinned file. @param hash SHA-256 of its bytes, in hex. */
export const pinnedPath = (hash: string, type: PinnedType): string => `/${FOLDER}/${hash}.${ENDINGS[type]}`;

/** What a file of that name is; null for a name that we do not give. */
export const pinnedTypeOf = (file: string): PinnedType | null => {
  const ending = FILE.exec(file)?.[2];
  return ending === 'png' ? 'image/png' : ending === 'json' ? 'application/json' : null;
};

/** SHA-256 in hex. */
export const contentHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Writes bytes under their hash; the same bytes again change nothing. @returns the hash. @throws StorageError */
export async function writePinned(storage: Storage, bytes: Uint8Array, type: PinnedType): Promise<string> {
  const hash = contentHash(bytes);
  const file = `${hash}.${ENDINGS[type]}`;
  // What is there and whole stays untouched.
  if (!(await readPinned(storage, file))) await storage.write(`${FOLDER}/${file}`, bytes, type);
  return hash;
}

/** Reads a pinned file and compares it with its name; null when it is not there, or damaged. @throws StorageError */
export async function readPinned(storage: Storage, file: string): Promise<Buffer | null> {
  const hash = FILE.exec(file)?.[1];
  const found = hash === undefined ? null : await storage.open(`${FOLDER}/${file}`);
  if (!found) return null;
  const bytes = Buffer.concat(await (await found.stream()).toArray());
  return contentHash(bytes) === hash ? bytes : null;
}
