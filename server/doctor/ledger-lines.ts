import type pg from 'pg';
import { isLedgerUnproven } from '#server/db/installation.ts';
import { readWaitingChanges } from './doctor.sql.ts';
import { type Line, one } from './lines.ts';

/** Changes of votes that wait for longer than this are not on their way any more. Minutes. */
const LATE = 10;

/**
 * A ledger that stands still is noticed by nobody else before a voter asks for a receipt.
 *
 * @param paused nothing is entered meanwhile, on purpose.
 */
export async function ledgerLines(pool: pg.Pool, paused: boolean): Promise<Line[]> {
  const { waiting, late } = one(await readWaitingChanges(pool, { minutes: LATE }));
  const problem = (await isLedgerUnproven(pool))
    ? 'It waits since a restore or copy. Say what was published last: npm run florka -- ledger accept <file>'
    : late && !paused
      ? 'Nothing is entered or signed: the log of the site says why.'
      : null;
  return [{ name: 'To be entered', value: `${waiting} changes of votes`, ...(problem ? { problem } : {}) }];
}
