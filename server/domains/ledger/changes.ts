// Converts changes of votes into leaves.
import { randomBytes } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { inArray, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { ledgerCandidates, ledgerLeaves } from '#server/db/tables/ledger.ts';
import { hmacSha256 } from '#server/lib/crypto/hmac.ts';
import { formatEntry, parseEntry, type VoteEntry, type VoteState } from '#verify/entries.ts';
import { readLastLeaves, readNewCandidates, readSalts } from './ledger.sql.ts';
import type { OpenTree } from './tree-store.ts';

/** A change of a vote, from the queue or the table of votes. */
export interface Change {
  voteId: number;
  userId: string;
  candidateId: string;
  /** UTC day, YYYY-MM-DD. */
  day: string;
  /** Number of the round in which it was cast; 0 for votes from before the ledger. */
  round: number;
  state: VoteState;
  castAt: Date;
  /** True when the vote no longer exists. */
  gone?: boolean;
}

/** Leaves that are created in one iteration of the event loop. */
const BATCH_SIZE = 250;

/**
 * The pseudonym of a member in a round. By itself, without the salt, it can neither be attributed to a member nor linked across rounds;
 * what the times and the order of leaves reveal is listed in docs/ledger.md.
 */
const pseudonym = (salt: Uint8Array, userId: string, round: number): string =>
  hmacSha256(salt, `florka-ledger/1\n${round}\n${userId}`).toString('hex', 0, 16);

/**
 * Appends a leaf for each change, candidates before their first vote. Changes without effect in the ledger are skipped: a vote that
 * already has this state, or that was deleted before it was appended.
 */
export async function appendChanges(tx: Tx, tree: OpenTree, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const known = await lastLeaves(
    tx,
    changes.map((one) => one.voteId),
  );
  const salts = await saltsOf(tx, changes);
  await listNew(tx, tree, changes);
  const gone: number[] = [];
  for (const [at, change] of changes.entries()) {
    // Yields, because the process handles requests as well.
    if (at % BATCH_SIZE === BATCH_SIZE - 1) await yieldToEventLoop();
    const last = known.get(change.voteId);
    if (change.gone) gone.push(change.voteId);
    if (last ? last.state === change.state : change.state === 'withdrawn') continue;
    const leaf: VoteEntry = {
      ...(last ?? {
        kind: 'vote' as const,
        round: change.round,
        candidate: change.candidateId,
        day: change.day,
        voter: pseudonym(salts(change.userId, change.round), change.userId, change.round),
        cast: `${change.castAt.toISOString().slice(0, 16)}Z`,
      }),
      seq: tree.size,
      state: change.state,
    };
    known.set(change.voteId, leaf);
    tree.append({ entry: formatEntry(leaf), voteId: change.gone ? null : change.voteId });
  }
  await tree.save();
  // The mapping of a deleted vote to its leaves is deleted too.
  if (gone.length > 0) await tx.update(ledgerLeaves).set({ voteId: null }).where(inArray(ledgerLeaves.voteId, gone));
}

/**
 * Appends a leaf for each carried vote that a reset removes, or its undo restores. The leaf that counted it is the only stored data
 * about it; its voter is unknown.
 */
export async function appendCarried(tree: OpenTree, entries: readonly string[], state: VoteState): Promise<void> {
  for (const [at, text] of entries.entries()) {
    if (at % BATCH_SIZE === BATCH_SIZE - 1) await yieldToEventLoop();
    const leaf = parseEntry(text);
    if (leaf?.kind !== 'vote') throw new Error('a carried vote without its leaf');
    tree.append({ entry: formatEntry({ ...leaf, seq: tree.size, state }), voteId: null });
  }
  await tree.save();
}

/** The last leaf of each vote that has any. */
async function lastLeaves(tx: Tx, voteIds: readonly number[]): Promise<Map<number, VoteEntry>> {
  const found = new Map<number, VoteEntry>();
  for (const row of await readLastLeaves(tx, { voteIds: [...new Set(voteIds)] })) {
    const entry = parseEntry(row.entry);
    if (entry?.kind === 'vote') found.set(row.voteId, entry);
  }
  return found;
}

/** The salt of each member and round, created where it is missing. For a member who was removed meanwhile, it is not stored. */
async function saltsOf(tx: Tx, changes: readonly Change[]): Promise<(userId: string, round: number) => Uint8Array> {
  const wanted = new Map(changes.map((one) => [`${one.userId} ${one.round}`, one]));
  const pairs = [...wanted.values()].toSorted((a, b) => (a.userId < b.userId ? -1 : 1));
  const rows = await readSalts(tx, {
    userIds: pairs.map((one) => one.userId),
    rounds: pairs.map((one) => one.round),
    fresh: pairs.map(() => randomBytes(16).toString('hex')),
  });
  const salts = new Map<string, Uint8Array>(
    rows.map((row) => [`${row.userId} ${row.round}`, Buffer.from(row.salt, 'hex')]),
  );
  return (userId, round) => {
    const key = `${userId} ${round}`;
    const salt = salts.get(key) ?? randomBytes(16);
    salts.set(key, salt);
    return salt;
  };
}

/** Appends candidates that are not in the ledger yet. */
async function listNew(tx: Tx, tree: OpenTree, changes: readonly Change[]): Promise<void> {
  const first = new Map<string, Date>();
  for (const { candidateId, castAt } of changes) if (!first.has(candidateId)) first.set(candidateId, castAt);
  // A candidate that was deleted permanently meanwhile has no creation time any more, and no votes.
  for (const { id, added } of await readNewCandidates(tx, { ids: [...first.keys()] }))
    await listCandidate(tx, tree, id, added ?? `${first.get(id)?.toISOString().slice(0, -1)}000Z`, true);
}

/** Appends that a candidate is in the ranking, or no longer. @param added to the microsecond. */
export async function listCandidate(tx: Tx, tree: OpenTree, id: string, added: string, listed: boolean): Promise<void> {
  await tx
    .insert(ledgerCandidates)
    .values({ candidateId: id, addedAt: sql`${added}::timestamptz`, listed })
    .onConflictDoUpdate({ target: ledgerCandidates.candidateId, set: { listed } });
  const state = listed ? 'listed' : 'unlisted';
  tree.append({ entry: formatEntry({ kind: 'candidate', seq: tree.size, candidate: id, added, state }), voteId: null });
}
