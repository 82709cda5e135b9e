import type { Db } from '#server/db/client.ts';
import { ledgerLog } from '#server/db/tables/ledger.ts';
import { parseCheckpoint, parseNote, verifyNote } from '#verify/note.ts';
import { nodeSha256 } from '#verify/sources.ts';
import { rootAt } from '#verify/tree.ts';
import { verifierKeyOf } from './key.ts';
import { hashesIn } from './tree-store.ts';

/**
 * What a published checkpoint says of the ledger in this database: `continues`, it holds all of it; `lacks`, more was published
 * than is here; `contradicts`, something else was; `strange`, it is no checkpoint of this ledger.
 */
export type LedgerVerdict = 'continues' | 'lacks' | 'contradicts' | 'strange';

/**
 * Compares the ledger in the database with what was published.
 *
 * @param published the last checkpoint that anybody saw, as a note; null: nothing ever was published.
 */
export async function compareLedger(db: Db, published: string | null): Promise<LedgerVerdict> {
  const [log] = await db
    .select({
      origin: ledgerLog.origin,
      publicKey: ledgerLog.publicKey,
      size: ledgerLog.size,
      checkpoint: ledgerLog.checkpoint,
    })
    .from(ledgerLog);
  if (published === null) return log?.checkpoint ? 'contradicts' : 'continues';
  const note = parseNote(published);
  const checkpoint = note && parseCheckpoint(note.text);
  if (!note || !checkpoint) return 'strange';
  // A backup from before the ledger.
  if (!log) return 'lacks';
  const key = verifierKeyOf(log.origin, log.publicKey);
  if (checkpoint.origin !== log.origin || !(await verifyNote(note, key)).valid) return 'strange';
  if (checkpoint.size > log.size) return 'lacks';
  const root = await rootAt(nodeSha256, hashesIn(db), checkpoint.size);
  return Buffer.from(root).equals(Buffer.from(checkpoint.root)) ? 'continues' : 'contradicts';
}
