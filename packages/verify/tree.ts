// Merkle trees by RFC 6962, section 2.1, in tiles by c2sp.org/tlog-tiles.
import { equal } from './bytes.ts';
import type { Sha256 } from './sha256.ts';

/** Number of hashes in a full tile, and of entries in a full bundle. */
export const TILE_WIDTH = 256;
/** Number of tree levels that one tile covers. */
const TILE_HEIGHT = 8;

/** Hash of a leaf: of a zero byte and the entry. */
export const leafHash = (hash: Sha256, entry: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(entry.length + 1);
  bytes.set(entry, 1);
  return hash(bytes);
};

/** Hash of an inner node: of a one byte and both children. @param left @param right 32 bytes each. */
export const nodeHash = (hash: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(65);
  bytes[0] = 1;
  bytes.set(left, 1);
  bytes.set(right, 33);
  return hash(bytes);
};

/**
 * The roots of the complete subtrees over a row of hashes, from left to right: one for each 1 in the binary
 * representation of their number. Each appended hash is merged with its neighbours at once, so that the root costs a
 * few hashes at any time.
 */
class Peaks {
  readonly #hash: Sha256;
  #roots: Uint8Array[] = [];
  #count = 0;

  constructor(hash: Sha256, row: readonly Uint8Array[] = []) {
    this.#hash = hash;
    for (const one of row) this.append(one);
  }

  append(one: Uint8Array): void {
    let root = one;
    for (let width = 1; (this.#count & width) !== 0; width *= 2)
      root = nodeHash(this.#hash, this.#roots.pop() as Uint8Array, root);
    this.#roots.push(root);
    this.#count++;
  }

  get roots(): readonly Uint8Array[] {
    return this.#roots;
  }
}

/** Called with a full tile when its last hash was appended. */
export type OnTile = (level: number, index: number, hashes: readonly Uint8Array[]) => void;

/** An append-only tree. It stores only the hashes of its incomplete tiles: at most 255 per tile level. */
export class GrowingTree {
  readonly #hash: Sha256;
  readonly #onTile: OnTile;
  /** Hashes of the incomplete tile, by tile level. */
  readonly #open: Uint8Array[][];
  /** Peaks of each of those rows. */
  readonly #peaks: Peaks[];
  #size: number;

  /** @param from the `frontier` and size of another tree to continue. */
  constructor(
    hash: Sha256,
    onTile: OnTile = () => {},
    from: { size: number; frontier: Uint8Array[][] } = { size: 0, frontier: [] },
  ) {
    this.#hash = hash;
    this.#onTile = onTile;
    this.#open = from.frontier.map((row) => [...row]);
    this.#peaks = this.#open.map((row) => new Peaks(hash, row));
    this.#size = from.size;
  }

  get size(): number {
    return this.#size;
  }

  /** The hashes of the incomplete tile of each tile level. */
  get frontier(): readonly (readonly Uint8Array[])[] {
    return this.#open;
  }

  append(leaf: Uint8Array): void {
    let add = leaf;
    for (let level = 0; ; level++) {
      const row = this.#open[level] ?? [];
      const peaks = this.#peaks[level] ?? new Peaks(this.#hash);
      this.#open[level] = row;
      this.#peaks[level] = peaks;
      row.push(add);
      peaks.append(add);
      if (row.length < TILE_WIDTH) break;
      this.#onTile(level, Math.floor(this.#size / TILE_WIDTH ** (level + 1)), row);
      add = peaks.roots[0] as Uint8Array;
      this.#open[level] = [];
      this.#peaks[level] = new Peaks(this.#hash);
    }
    this.#size++;
  }

  /** The root; for the empty tree the hash of no bytes. */
  root(): Uint8Array {
    const peaks = this.#peaks.toReversed().flatMap(({ roots }) => roots);
    const last = peaks.pop();
    return last
      ? peaks.reduceRight((right, left) => nodeHash(this.#hash, left, right), last)
      : this.#hash(new Uint8Array());
  }
}

/** Reads the hashes `from` to `from + count` of a tile level, all of one tile and of complete subtrees. */
export type ReadHashes = (level: number, from: number, count: number) => Promise<readonly Uint8Array[]>;

/** Root of `size` leaves from `start` on; `start` is a multiple of the smallest power of two at or above `size`. */
async function subtreeRoot(hash: Sha256, read: ReadHashes, start: number, size: number): Promise<Uint8Array> {
  const height = Math.log2(size);
  if (Number.isInteger(height)) {
    const level = Math.floor(height / TILE_HEIGHT);
    const unit = TILE_WIDTH ** level;
    return new Peaks(hash, await read(level, start / unit, size / unit)).roots[0] as Uint8Array;
  }
  const left = splitOf(size);
  const [a, b] = [await subtreeRoot(hash, read, start, left), await subtreeRoot(hash, read, start + left, size - left)];
  return nodeHash(hash, a, b);
}

/** The largest power of two below `size`. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** The root of the tree at `size` leaves. */
export const rootAt = (hash: Sha256, read: ReadHashes, size: number): Promise<Uint8Array> =>
  size === 0 ? Promise.resolve(hash(new Uint8Array())) : subtreeRoot(hash, read, 0, size);

/**
 * The audit path of RFC 6962, 2.1.1, from the leaf's sibling upwards. @throws RangeError for a leaf outside of the
 * tree.
 */
export async function inclusionProof(
  hash: Sha256,
  read: ReadHashes,
  index: number,
  size: number,
): Promise<Uint8Array[]> {
  if (index < 0 || index >= size) throw new RangeError(`no leaf ${index} in a tree of ${size}`);
  const path: Uint8Array[] = [];
  let [start, width] = [0, size];
  while (width > 1) {
    const left = splitOf(width);
    const inLeft = index - start < left;
    path.push(
      await (inLeft ? subtreeRoot(hash, read, start + left, width - left) : subtreeRoot(hash, read, start, left)),
    );
    if (!inLeft) start += left;
    width = inLeft ? left : width - left;
  }
  return path.reverse();
}

/** True if a leaf is at this index of the tree with this root. */
export function verifyInclusion(
  hash: Sha256,
  {
    leaf,
    index,
    size,
    root,
    proof,
  }: { leaf: Uint8Array; index: number; size: number; root: Uint8Array; proof: readonly Uint8Array[] },
): boolean {
  if (index < 0 || index >= size) return false;
  let [position, last, at] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      at = nodeHash(hash, sibling, at);
      while (position % 2 === 0 && position !== 0) {
        position /= 2;
        last = Math.floor(last / 2);
      }
    } else at = nodeHash(hash, at, sibling);
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && equal(at, root);
}

/**
 * The consistency proof of RFC 6962, 2.1.2; empty from size zero and for equal sizes. @throws RangeError if `to` is
 * smaller than `from`.
 */
export async function consistencyProof(
  hash: Sha256,
  read: ReadHashes,
  from: number,
  to: number,
): Promise<Uint8Array[]> {
  if (from < 0 || from > to) throw new RangeError(`no proof from ${from} to ${to}`);
  if (from === 0 || from === to) return [];
  const proof: Uint8Array[] = [];
  let [start, width, old, whole] = [0, to, from, true];
  while (old !== width) {
    const left = splitOf(width);
    if (old <= left) {
      proof.push(await subtreeRoot(hash, read, start + left, width - left));
      width = left;
    } else {
      proof.push(await subtreeRoot(hash, read, start, left));
      start += left;
      width -= left;
      old -= left;
      whole = false;
    }
  }
  if (!whole) proof.push(await subtreeRoot(hash, read, start, width));
  return proof.reverse();
}

/** True if the tree with the second root continues the one with the first. */
export function verifyConsistency(
  hash: Sha256,
  {
    from,
    to,
    oldRoot,
    newRoot,
    proof,
  }: { from: number; to: number; oldRoot: Uint8Array; newRoot: Uint8Array; proof: readonly Uint8Array[] },
): boolean {
  if (from > to || from < 0) return false;
  if (from === to) return proof.length === 0 && equal(oldRoot, newRoot);
  if (from === 0) return proof.length === 0;
  let [position, last] = [from - 1, to - 1];
  while (position % 2 === 1) {
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  // For a perfect old tree the proof starts with its root, which is omitted.
  const path = position === 0 ? [oldRoot, ...proof] : proof;
  const [first, ...rest] = path;
  if (!first) return false;
  let [before, after] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      before = nodeHash(hash, sibling, before);
      after = nodeHash(hash, sibling, after);
      while (position % 2 === 0 && position !== 0) {
        position /= 2;
        last = Math.floor(last / 2);
      }
    } else after = nodeHash(hash, after, sibling);
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && equal(before, oldRoot) && equal(after, newRoot);
}
