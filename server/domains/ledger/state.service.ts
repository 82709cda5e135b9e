import { and, desc, eq, lt } from 'drizzle-orm';
import type { LedgerState } from '#contract/domains/ledger.ts';
import type { Db } from '#server/db/client.ts';
import { ledgerCosignatures, ledgerLeaves, ledgerLog, ledgerResults } from '#server/db/tables/ledger.ts';
import { presentVotes } from '#server/db/tables/voting.ts';
import { toBase64 } from '#verify/bytes.ts';
import { parseEntry } from '#verify/entries.ts';
import { formatKey, parseCheckpoint, parseNote } from '#verify/note.ts';
import { formatReceipt } from '#verify/receipt.ts';
import { nodeSha256 } from '#verify/sources.ts';
import { inclusionProof } from '#verify/tree.ts';
import { signedCheckpoint } from './files.service.ts';
import { verifierKeyOf } from './key.ts';
import { readWaiting } from './ledger.sql.ts';
import { hashesIn } from './tree-store.ts';
import type { Witness } from './witness-client.ts';

/** A witness that signed within this time counts as available. Milliseconds. */
const RECENT = 10 * 60_000;
/** Number of results that the page lists. */
const RESULTS_SHOWN = 30;

interface Parts {
  db: Db;
  witness: Witness | null;
  now: () => Date;
  halted: LedgerState['halted'];
}

/** Data of the ledger page. */
export async function readState({ db, witness, now, halted }: Parts): Promise<LedgerState> {
  const [log] = await db.select().from(ledgerLog);
  const [waits] = await readWaiting(db, {});
  const signed = await signedCheckpoint(db);
  const note = signed && parseNote(signed.checkpoint);
  const point = note && parseCheckpoint(note.text);
  const results = await db
    .select({ of: ledgerResults.of })
    .from(ledgerResults)
    .where(lt(ledgerResults.seq, log?.publishedSize ?? 0))
    .orderBy(desc(ledgerResults.seq))
    .limit(RESULTS_SHOWN);
  return {
    key: log ? formatKey(verifierKeyOf(log.origin, log.publicKey)) : null,
    checkpoint: signed?.checkpoint ?? null,
    size: point?.size ?? 0,
    root: point ? toBase64(point.root) : '',
    publishedAt: log?.publishedAt?.toISOString() ?? null,
    waiting: waits?.waiting ?? 0,
    halted,
    witness: witness && (await witnessState(db, witness, now())),
    results: results.map(({ of }) => of),
  };
}

async function witnessState(db: Db, { key }: Witness, now: Date): Promise<LedgerState['witness']> {
  const [last] = await db.select().from(ledgerCosignatures).where(eq(ledgerCosignatures.witness, key.name));
  return {
    name: key.name,
    key: formatKey(key),
    signedAt: last?.signedAt.toISOString() ?? null,
    size: last?.size ?? null,
    recent: last !== undefined && now.getTime() - last.signedAt.getTime() < RECENT,
  };
}

/** The receipt of a member's own vote; null when it is not in a signed checkpoint yet, or belongs to another member. */
export async function receiptOf(db: Db, userId: string, voteId: number): Promise<string | null> {
  const [leaf] = await db
    .select({ index: ledgerLeaves.seq, entry: ledgerLeaves.entry })
    .from(ledgerLeaves)
    .where(eq(ledgerLeaves.voteId, voteId))
    .orderBy(desc(ledgerLeaves.seq))
    .limit(1);
  // The leaf contains the day, and the day determines the partition of the vote.
  const vote = leaf && parseEntry(leaf.entry);
  if (vote?.kind !== 'vote') return null;
  const [own] = await db
    .select({ id: presentVotes.id })
    .from(presentVotes)
    .where(and(eq(presentVotes.id, voteId), eq(presentVotes.votedOn, vote.day), eq(presentVotes.userId, userId)));
  const signed = await signedCheckpoint(db);
  if (!own || !leaf || !signed || leaf.index >= signed.size) return null;
  const proof = await inclusionProof(nodeSha256, hashesIn(db), leaf.index, signed.size);
  return formatReceipt({ ...leaf, proof, checkpoint: signed.checkpoint });
}
