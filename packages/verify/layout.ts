// Paths and contents of tiles and bundles, as defined by c2sp.org/tlog-tiles.
import { concat } from './bytes.ts';
import { TILE_WIDTH } from './tree.ts';

/** Encodes 1234067 as `x001/x234/067`. */
function encodeIndex(index: number): string {
  const parts = [String(index % 1_000).padStart(3, '0')];
  for (let rest = Math.floor(index / 1_000); rest > 0; rest = Math.floor(rest / 1_000))
    parts.unshift(`x${String(rest % 1_000).padStart(3, '0')}`);
  return parts.join('/');
}

const partOf = (width: number) => (width === TILE_WIDTH ? '' : `.p/${width}`);

/** Path below the prefix of the log; `width` is 1 to 256. */
export const tilePath = (level: number, index: number, width: number): string =>
  `tile/${level}/${encodeIndex(index)}${partOf(width)}`;

/** Path of a bundle of entries below the prefix of the log; `width` is the number of its entries, 1 to 256. */
export const bundlePath = (index: number, width: number): string =>
  `tile/entries/${encodeIndex(index)}${partOf(width)}`;

/** Parses a path below the prefix; null for any other text, including non-canonical forms. */
export function parsePath(path: string): { level: number | 'entries'; index: number; width: number } | null {
  const match = /^tile\/(entries|0|[1-5]?[0-9]|6[0-3])\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path);
  if (!match) return null;
  const [, where = '', number = '', part] = match;
  const [index, width] = [Number(number.replaceAll(/[x/]/g, '')), part === undefined ? TILE_WIDTH : Number(part)];
  if (width > TILE_WIDTH || (part !== undefined && width === TILE_WIDTH) || !Number.isSafeInteger(index)) return null;
  const level = where === 'entries' ? 'entries' : Number(where);
  const again = level === 'entries' ? bundlePath(index, width) : tilePath(level, index, width);
  return again === path ? { level, index, width } : null;
}

const RESULT = /^results\/(round\/[1-9]\d{0,8}|day\/\d{4}-\d\d-\d\d)$/;

/** True if a path below the prefix can be that of a file, judged by its form alone. */
export const isLedgerPath = (path: string): boolean =>
  path === 'checkpoint' || path === 'key' || RESULT.test(path) || parsePath(path) !== null;

/**
 * The tiles of a level in a tree of this size: index and width; the last one may be partial. One at a time, because a checkpoint
 * may name any size.
 */
export function* tilesOf(level: number, size: number): Generator<{ index: number; width: number }> {
  const hashes = Math.floor(size / TILE_WIDTH ** level);
  for (let index = 0; index * TILE_WIDTH < hashes; index++)
    yield { index, width: Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH) };
}

/**
 * Encodes the entries of a bundle, each prefixed by its length in two bytes. @throws RangeError for an entry of more
 * than 65,535 bytes.
 */
export function encodeBundle(entries: readonly Uint8Array[]): Uint8Array {
  return concat(
    entries.flatMap((entry) => {
      if (entry.length > 65_535) throw new RangeError('an entry has 65,535 bytes at most');
      return [Uint8Array.of(entry.length >> 8, entry.length & 255), entry];
    }),
  );
}

/** @returns null for bytes that are no valid bundle. */
export function decodeBundle(bytes: Uint8Array): Uint8Array[] | null {
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + 2 > bytes.length) return null;
    const length = ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
    at += 2;
    if (at + length > bytes.length) return null;
    entries.push(bytes.subarray(at, at + length));
    at += length;
  }
  return entries;
}

/** @returns null if the length is not a positive multiple of 32 bytes. */
export function decodeTile(bytes: Uint8Array): Uint8Array[] | null {
  if (bytes.length === 0 || bytes.length % 32 !== 0) return null;
  return Array.from({ length: bytes.length / 32 }, (_, i) => bytes.subarray(i * 32, i * 32 + 32));
}
