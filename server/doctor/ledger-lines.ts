import type pg from 'pg';
import { isLedgerUnproven } from '#server/db/installation.ts';
import { readVoteMonthsAhead } from '#server/db/vote-months.sql.ts';
import { readWaitingChanges } from './doctor.sql.ts';
import { type Line, one } from './lines.ts';

/** Where the votes of the months that come will be: whatever is missing, they are taken. */
export async function monthLines(pool: pg.Pool, keep: number | undefined): Promise<Line[]> {
  const { parts, until, months } = one(await readVoteMonthsAhead(pool, {}));
  return [
    {
      name: 'Months of votes',
      value: `${parts} parts, made until ${until ?? 'nowhere'}, ${keep === undefined ? 'all kept' : `${keep} kept`}`,
      ...(months < 1
        ? {
            problem:
              'No month is left ahead: votes go into one part without an end. Start the site again, or say: npm run florka -- votes months',
          }
        : {}),
    },
  ];
}

/** Changes of votes that wait for longer than this are not on their way any more. Minutes. */
const LATE_MINUTES = 10;

/**
 * A ledger that stands still is noticed by nobody else before a voter asks for a receipt.
 *
 * @param paused nothing is entered meanwhile, on purpose.
 */
export async function ledgerLines(pool: pg.Pool, paused: boolean): Promise<Line[]> {
  const { waiting, late } = one(await readWaitingChanges(pool, { minutes: LATE_MINUTES }));
  const problem = (await isLedgerUnproven(pool))
    ? 'It waits since a restore or copy. Say what was published last: npm run florka -- ledger accept <file>'
    : late && !paused
      ? 'Nothing is entered or signed: the log of the site says why.'
      : null;
  return [{ name: 'To be entered', value: `${waiting} changes of votes`, ...(problem ? { problem } : {}) }];
}
