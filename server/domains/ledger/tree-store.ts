// Storage of the tree in the database: leaves, and the hashes of complete tiles.
import { and, asc, eq, gte, lt } from 'drizzle-orm';
import type { Reader, Tx } from '#server/db/client.ts';
import { ledgerHashes, ledgerLeaves } from '#server/db/tables/ledger.ts';
import { fromText } from '#verify/bytes.ts';
import { nodeSha256 } from '#verify/sources.ts';
import { GrowingTree, leafHash, type ReadHashes, TILE_WIDTH } from '#verify/tree.ts';
import { insertHashes, insertLeaves } from './ledger.sql.ts';

const leavesBetween = (from: number, count: number) =>
  and(gte(ledgerLeaves.seq, from), lt(ledgerLeaves.seq, from + count));

/** Hashes `from` to `from + count` of a tile level. */
export const hashesIn =
  (db: Reader): ReadHashes =>
  async (level, from, count) => {
    const rows = await (level === 0
      ? db
          .select({ hash: ledgerLeaves.hash })
          .from(ledgerLeaves)
          .where(leavesBetween(from, count))
          .orderBy(asc(ledgerLeaves.seq))
      : db
          .select({ hash: ledgerHashes.hash })
          .from(ledgerHashes)
          .where(
            and(eq(ledgerHashes.level, level), gte(ledgerHashes.index, from), lt(ledgerHashes.index, from + count)),
          )
          .orderBy(asc(ledgerHashes.index)));
    if (rows.length !== count) throw new Error(`hashes ${from} to ${from + count} of level ${level} are missing`);
    return rows.map((row) => new Uint8Array(row.hash));
  };

/** Entries `from` to `from + count`. */
export async function entriesIn(db: Reader, from: number, count: number): Promise<Uint8Array[]> {
  const rows = await db
    .select({ entry: ledgerLeaves.entry })
    .from(ledgerLeaves)
    .where(leavesBetween(from, count))
    .orderBy(asc(ledgerLeaves.seq));
  if (rows.length !== count) throw new Error(`leaves ${from} to ${from + count} are missing`);
  return rows.map((row) => fromText(row.entry));
}

/** A new leaf, and its vote. */
export interface NewLeaf {
  entry: string;
  voteId: number | null;
}

/** The current tree, to append to in the caller's transaction. */
export async function openTree(tx: Tx, size: number) {
  const frontier: Uint8Array[][] = [];
  for (let level = 0, width = size; width > 0; level++, width = Math.floor(width / TILE_WIDTH)) {
    const count = width % TILE_WIDTH;
    frontier.push(count === 0 ? [] : [...(await hashesIn(tx)(level, width - count, count))]);
  }
  const above: { level: number; index: number; hash: Uint8Array }[] = [];
  const leaves: (NewLeaf & { seq: number; hash: Uint8Array })[] = [];
  const tree = new GrowingTree(
    nodeSha256,
    (level, index, hashes) => {
      const whole = new GrowingTree(nodeSha256);
      for (const hash of hashes) whole.append(hash);
      above.push({ level: level + 1, index, hash: whole.root() });
    },
    { size, frontier },
  );
  return {
    get size() {
      return tree.size;
    },
    root: () => tree.root(),
    append(leaf: NewLeaf): void {
      const hash = leafHash(nodeSha256, fromText(leaf.entry));
      leaves.push({ ...leaf, seq: tree.size, hash });
      tree.append(hash);
    },
    /** Stores the appended leaves and hashes. */
    async save(): Promise<void> {
      if (leaves.length > 0)
        await insertLeaves(tx, {
          seqs: leaves.map((one) => one.seq),
          entries: leaves.map((one) => one.entry),
          hashes: leaves.map((one) => Buffer.from(one.hash)),
          votes: leaves.map((one) => one.voteId),
        });
      if (above.length > 0)
        await insertHashes(tx, {
          levels: above.map((one) => one.level),
          indexes: above.map((one) => one.index),
          hashes: above.map((one) => Buffer.from(one.hash)),
        });
      leaves.length = 0;
      above.length = 0;
    },
  };
}

export type OpenTree = Awaited<ReturnType<typeof openTree>>;
