import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { equal, fromText, toHex } from './bytes.ts';
import { sha256 } from './sha256.ts';
import { nodeSha256 } from './sources.ts';
import {
  consistencyProof,
  GrowingTree,
  inclusionProof,
  leafHash,
  type ReadHashes,
  rootAt,
  TILE_WIDTH,
  verifyConsistency,
  verifyInclusion,
} from './tree.ts';

/** RFC 6962, 2.1, implemented literally. */
function mth(leaves: Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return nodeSha256(new Uint8Array());
  if (leaves.length === 1) return leaves[0] as Uint8Array;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return nodeSha256(Buffer.concat([Buffer.of(1), mth(leaves.slice(0, k)), mth(leaves.slice(k))]));
}

const MAX_KEPT = 1_100;
const leaves = Array.from({ length: MAX_KEPT }, (_, i) => leafHash(nodeSha256, fromText(`leaf ${i}`)));
const readFrom = (size: number): ReadHashes => {
  const levels: Uint8Array[][] = [leaves.slice(0, size)];
  for (let row = levels[0] as Uint8Array[]; row.length >= TILE_WIDTH; ) {
    row = Array.from({ length: Math.floor(row.length / TILE_WIDTH) }, (_, i) =>
      mth(row.slice(i * TILE_WIDTH, (i + 1) * TILE_WIDTH)),
    );
    levels.push(row);
  }
  return async (level, from, count) => (levels[level] ?? []).slice(from, from + count);
};

describe('the SHA-256 of this package', () => {
  it('equals that of Node for every length below 200 bytes and for one long text', () => {
    for (let length = 0; length < 200; length++) {
      const bytes = new Uint8Array(length).map((_, i) => (i * 31 + length) & 255);
      expect(toHex(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
    const long = new Uint8Array(1_000_003).fill(97);
    expect(toHex(sha256(long))).toBe(createHash('sha256').update(long).digest('hex'));
  });
});

describe('the tree of RFC 6962', () => {
  it('has the root of the RFC at each size below 300 and above 1,020 and at some between, and emits full tiles', () => {
    const tiles: string[] = [];
    const tree = new GrowingTree(nodeSha256, (level, index, hashes) =>
      tiles.push(`${level}/${index}/${hashes.length}`),
    );
    for (let size = 0; size <= MAX_KEPT; size++) {
      if (size < 300 || size % 97 === 0 || size > 1_020)
        expect(equal(tree.root(), mth(leaves.slice(0, size)))).toBe(true);
      if (size < MAX_KEPT) tree.append(leaves[size] as Uint8Array);
    }
    expect(tiles).toEqual(['0/0/256', '0/1/256', '0/2/256', '0/3/256']);
    expect(tree.frontier.map((row) => row.length)).toEqual([MAX_KEPT - 1_024, 4]);
  });

  it('can be continued from its frontier', () => {
    const first = new GrowingTree(nodeSha256);
    for (const leaf of leaves.slice(0, 777)) first.append(leaf);
    const second = new GrowingTree(nodeSha256, undefined, {
      size: 777,
      frontier: first.frontier.map((row) => [...row]),
    });
    for (const leaf of leaves.slice(777)) second.append(leaf);
    expect(equal(second.root(), mth(leaves))).toBe(true);
  });

  it('proves every leaf of small trees and some of large ones, and refuses altered proofs', async () => {
    for (const size of [1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 255, 256, 257, 513, 1_024, MAX_KEPT]) {
      const root = await rootAt(nodeSha256, readFrom(size), size);
      for (let index = 0; index < size; index += size < 40 ? 1 : 37) {
        const proof = await inclusionProof(nodeSha256, readFrom(size), index, size);
        const leaf = leaves[index] as Uint8Array;
        expect(verifyInclusion(nodeSha256, { leaf, index, size, root, proof })).toBe(true);
        const other = leaves[(index + 1) % MAX_KEPT] as Uint8Array;
        expect(verifyInclusion(nodeSha256, { leaf: other, index, size, root, proof })).toBe(false);
        if (size > 1) {
          expect(verifyInclusion(nodeSha256, { leaf, index: (index + 1) % size, size, root, proof })).toBe(false);
          expect(verifyInclusion(nodeSha256, { leaf, index, size, root, proof: proof.slice(1) })).toBe(false);
        }
        expect(verifyInclusion(nodeSha256, { leaf, index, size, root, proof: [...proof, leaf] })).toBe(false);
      }
    }
  });

  it('proves the consistency of trees, and refuses altered proofs', async () => {
    const sizes = [0, 1, 2, 3, 4, 6, 7, 8, 9, 63, 64, 65, 255, 256, 257, 512, 700, 1_024, MAX_KEPT];
    for (const to of sizes)
      for (const from of sizes.filter((one) => one <= to)) {
        const [oldRoot, newRoot] = [mth(leaves.slice(0, from)), mth(leaves.slice(0, to))];
        const proof = await consistencyProof(nodeSha256, readFrom(to), from, to);
        const claim = { from, to, oldRoot, newRoot, proof };
        expect(verifyConsistency(nodeSha256, claim)).toBe(true);
        if (from === 0) continue;
        const wrong = nodeSha256(oldRoot);
        expect(verifyConsistency(nodeSha256, { ...claim, oldRoot: wrong })).toBe(false);
        if (from === to) continue;
        expect(verifyConsistency(nodeSha256, { ...claim, newRoot: wrong })).toBe(false);
        expect(verifyConsistency(nodeSha256, { ...claim, proof: proof.slice(1) })).toBe(false);
        expect(verifyConsistency(nodeSha256, { ...claim, proof: [...proof, wrong] })).toBe(false);
      }
  });
});
