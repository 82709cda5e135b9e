import { eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/db/client.ts';
import { ledgerLog, ledgerRoundEnds } from '#server/db/tables/ledger.ts';
import { voteMoves } from '#server/db/tables/voting.ts';
import { formatEntry } from '#verify/entries.ts';
import { nodeSha256 } from '#verify/sources.ts';
import { appendCarried, appendChanges } from './changes.ts';
import type { SigningKey } from './key.ts';
import {
  readCarriedLeaves,
  readDayOver,
  readMovedGone,
  readMovedVotes,
  readNewestAudit,
  readNextMove,
  readOlderVotes,
  readRoundEnd,
  takeChanges,
} from './ledger.sql.ts';
import { appendDayResult, appendRoundResult } from './results.ts';
import { type OpenTree, openTree } from './tree-store.ts';

/** Changes per transaction, and the number while many members vote. */
export const BATCH = 5_000;
export const SMALL_BATCH = 1_000;
/** Minimum interval between anchors of the audit log. Seconds. */
const ANCHOR_EVERY = 600;
/** Delay of a day's result for votes in progress at midnight. Seconds. */
const AFTER_MIDNIGHT = 10;

export type LogRow = typeof ledgerLog.$inferSelect;

/** The state of the vote ledger, created at the first call. */
export async function readLog(db: Tx | Db, origin: string, key: SigningKey): Promise<LogRow> {
  const read = async () => (await db.select().from(ledgerLog))[0];
  const there = await read();
  if (there) return there;
  await db
    .insert(ledgerLog)
    .values({
      origin,
      publicKey: Buffer.from(key.publicKey),
      root: Buffer.from(nodeSha256(new Uint8Array())),
      fillUntil: sql`coalesce((select max(id) from votes), 0)`,
      nextDay: sql`(now() at time zone 'UTC')::date`,
    })
    .onConflictDoNothing();
  const made = await read();
  if (!made) throw new Error('no ledger was made');
  return made;
}

/**
 * Appends one batch of changes: leaves, tree, salts and the removal from the queue are one transaction, so that each change is
 * appended exactly once, even if the process dies. The caller holds the lock of the ledger.
 *
 * @param options.batch number of changes.
 * @returns the number of appended leaves, whether more are waiting, and whether they are votes from before the ledger.
 */
export function appendBatch(
  db: Db,
  { origin, key, batch = BATCH }: { origin: string; key: SigningKey; batch?: number },
): Promise<{ appended: number; more: boolean; older: boolean }> {
  return db.transaction(
    async (tx) => {
      // Queue, totals and standings from one snapshot: results are exact while votes are cast.
      await tx.execute(sql`set transaction isolation level repeatable read`);
      const log = await readLog(tx, origin, key);
      const tree = await openTree(tx, log.size);
      const more = log.filledAt
        ? await appendQueue(tx, tree, log, { wholeSince: log.filledAt, key, batch })
        : await appendOlder(tx, tree, log, batch);
      if (tree.size > log.size) await tx.update(ledgerLog).set({ size: tree.size, root: Buffer.from(tree.root()) });
      return { appended: tree.size - log.size, more, older: log.filledAt === null };
    },
    { work: 'job' },
  );
}

/** Votes from before the ledger, except those whose changes are in the queue. */
async function appendOlder(tx: Tx, tree: OpenTree, log: LogRow, batch: number): Promise<boolean> {
  const rows = await readOlderVotes(tx, { after: log.filledTo, until: log.fillUntil, max: batch });
  await appendChanges(
    tx,
    tree,
    rows.filter((row) => !row.waits),
  );
  const last = rows.length < batch ? undefined : rows.at(-1);
  await tx
    .update(ledgerLog)
    .set(last ? { filledTo: last.voteId } : { filledTo: log.fillUntil, filledAt: sql`clock_timestamp()` });
  return true;
}

/** Processes the queue, the end of a round within it, and what is due when it is empty. */
async function appendQueue(
  tx: Tx,
  tree: OpenTree,
  log: LogRow,
  { wholeSince, key, batch }: { wholeSince: Date; key: SigningKey; batch: number },
): Promise<boolean> {
  const [end] = await readRoundEnd(tx, { wholeSince });
  const [next] = await readNextMove(tx, {});
  const move = next && (!end || next.id <= end.lastChange) ? next : undefined;
  const changes = await takeChanges(tx, { until: move ? move.id - 1 : (end?.lastChange ?? null), max: batch });
  await appendChanges(tx, tree, changes);
  if (changes.length === batch) return true;
  if (move) {
    await appendMove(tx, tree, move, batch);
    return true;
  }
  if (end) {
    // A round that ended while older votes were still being appended has no result in the ledger.
    if (end.inTime)
      await appendRoundResult(tx, tree, { origin: log.origin, key, roundId: end.roundId, number: end.number });
    await tx
      .update(ledgerRoundEnds)
      .set({ statedAt: sql`clock_timestamp()` })
      .where(eq(ledgerRoundEnds.roundId, end.roundId));
    return true;
  }
  const [day] = await readDayOver(tx, { day: log.nextDay, seconds: AFTER_MIDNIGHT });
  if (day?.over) {
    await appendDayResult(tx, tree, { origin: log.origin, key, day: log.nextDay });
    await tx.update(ledgerLog).set({ nextDay: sql`next_day + 1` });
    return true;
  }
  await anchorAudit(tx, tree, log);
  return false;
}

/**
 * Appends some of the votes that a reset removed or its undo restored, before any later change: a round's result and later changes
 * of these votes wait until the last one is appended.
 */
async function appendMove(
  tx: Tx,
  tree: OpenTree,
  { doneTo, carriedTo, ...move }: Awaited<ReturnType<typeof readNextMove>>[number],
  batch: number,
): Promise<void> {
  const carried = await readCarriedLeaves(tx, { ...move, carriedTo });
  if (carried.length > 0) {
    await appendCarried(
      tree,
      carried.map(({ entry }) => entry),
      move.back ? 'counted' : 'withdrawn',
    );
    await tx
      .update(voteMoves)
      .set({ carriedTo: carriedTo + 1 })
      .where(eq(voteMoves.id, move.id));
    return;
  }
  const votes = await readMovedVotes(tx, { ...move, after: doneTo, max: batch });
  await appendChanges(tx, tree, votes);
  const last = votes.length < batch ? undefined : votes.at(-1);
  if (last) {
    await tx.update(voteMoves).set({ doneTo: last.voteId }).where(eq(voteMoves.id, move.id));
    return;
  }
  await appendChanges(tx, tree, await readMovedGone(tx, move));
  await tx.delete(voteMoves).where(eq(voteMoves.id, move.id));
}

/** Appends the newest hash of the audit log to the tree: a later modification of that log contradicts it. */
async function anchorAudit(tx: Tx, tree: OpenTree, log: LogRow): Promise<void> {
  const [newest] = await readNewestAudit(tx, { anchoredAt: log.auditAt, seconds: ANCHOR_EVERY });
  if (!newest || newest.id === log.auditEntry) return;
  tree.append({
    entry: formatEntry({ kind: 'audit', seq: tree.size, entry: newest.id, hash: newest.hash }),
    voteId: null,
  });
  await tree.save();
  await tx.update(ledgerLog).set({ auditEntry: newest.id, auditAt: sql`clock_timestamp()` });
}
