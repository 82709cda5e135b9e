// Names of files that are called by what is in them: images and descriptions of tokens, whose hash stands on a chain.
import { createHash } from 'node:crypto';

/** What is kept for ever, and how its file ends. */
const ENDINGS = { 'image/png': 'png', 'application/json': 'json' } as const;
export type PinnedType = keyof typeof ENDINGS;

/** Folder in the storage and in addresses. What lies in folders, clean-uploads leaves alone. */
const FOLDER = 'token-files';
const FILE = /^([0-9a-f]{64})\.(png|json)$/;

/** Path of the public address of a pinned file. @param hash SHA-256 of its bytes, in hex. */
export const pinnedPath = (hash: string, type: PinnedType): string => `/${pinnedName(hash, type)}`;

/** Its name in the storage. */
export const pinnedName = (hash: string, type: PinnedType): string => `${FOLDER}/${pinnedFile(hash, type)}`;

/** The last part of its name and address. */
export const pinnedFile = (hash: string, type: PinnedType): string => `${hash}.${ENDINGS[type]}`;

/** What a file of that name is, by its hash; null for a name that we do not give. */
export function readPinnedName(file: string): { hash: string; type: PinnedType } | null {
  const [, hash, ending] = FILE.exec(file) ?? [];
  return hash ? { hash, type: ending === 'png' ? 'image/png' : 'application/json' } : null;
}

/** SHA-256 in hex. */
export const contentHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
