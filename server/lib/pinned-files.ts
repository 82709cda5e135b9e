// Names of content-addressed files: images and metadata of tokens, whose hash is recorded on a chain.
import { createHash } from 'node:crypto';

/** Media types that are stored forever, and their file extensions. */
const ENDINGS = { 'image/png': 'png', 'application/json': 'json' } as const;
export type PinnedType = keyof typeof ENDINGS;

/** Folder in the storage and in URLs. clean-uploads ignores files in folders. */
const FOLDER = 'token-files';
const FILE = /^([0-9a-f]{64})\.(png|json)$/;

/** Path of the public URL of a pinned file. @param hash SHA-256 of its bytes, in hex. */
export const pinnedPath = (hash: string, type: PinnedType): string => `/${pinnedName(hash, type)}`;

/** Name of the file in the storage. */
export const pinnedName = (hash: string, type: PinnedType): string => `${FOLDER}/${pinnedFile(hash, type)}`;

/** File name without its folder. */
export const pinnedFile = (hash: string, type: PinnedType): string => `${hash}.${ENDINGS[type]}`;

/** Hash and type of a pinned file by its name; null for a name of another form. */
export function readPinnedName(file: string): { hash: string; type: PinnedType } | null {
  const [, hash, ending] = FILE.exec(file) ?? [];
  return hash ? { hash, type: ending === 'png' ? 'image/png' : 'application/json' } : null;
}

/** SHA-256 in hex. */
export const contentHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
