import fs from 'node:fs/promises';
import { isLedgerUnproven, proveLedger } from '#server/db/installation.ts';
import { compareLedger, type LedgerVerdict } from '#server/domains/ledger/continue.service.ts';
import { audit } from '#server/lib/audit.ts';
import { StartError } from '#server/lib/start-error.ts';
import { OPERATOR, withDatabase } from './database.ts';

/** Longest wait for a checkpoint over the network. Milliseconds. */
const FETCH_TIMEOUT_MS = 10_000;

const REFUSED: Record<Exclude<LedgerVerdict, 'continues'>, string> = {
  lacks:
    'More was published than this database has: going on would contradict it. Votes are counted all the same, and wait outside of the ledger.',
  contradicts: 'Something else was published than this database has: going on would contradict it.',
  strange: 'This is no checkpoint of this ledger, signed with its key.',
};

/**
 * Lets the vote ledger of a restored or copied installation go on, if it continues what was published.
 *
 * @param where file or address of the last checkpoint that anybody saw; `none` when nothing ever was published.
 */
export const continueLedger = (where: string): Promise<boolean> =>
  withDatabase(async ({ db, pool }) => {
    if (!(await isLedgerUnproven(pool))) {
      console.log('The ledger does not wait for this.');
      return true;
    }
    const verdict = await compareLedger(db, where === 'none' ? null : await readCheckpoint(where));
    if (verdict !== 'continues') throw new StartError(REFUSED[verdict]);
    await proveLedger(pool);
    await db.transaction((tx) => audit(tx, OPERATOR, { action: 'ledger.continued', resourceType: 'system' }));
    console.log('The ledger goes on: what waits is entered and signed within a minute.');
    return true;
  });

async function readCheckpoint(where: string): Promise<string> {
  try {
    if (!/^https?:\/\//.test(where)) return await fs.readFile(where, 'utf8');
    const answer = await fetch(where, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!answer.ok) throw new Error(`${answer.status}`);
    return await answer.text();
  } catch (error) {
    throw new StartError(`No checkpoint could be read from ${where}: ${(error as Error).message}`);
  }
}
