import type pg from 'pg';
import { isLedgerUnproven } from '#server/db/installation.ts';
import { readVoteMonthsAhead } from '#server/db/vote-months.sql.ts';
import { readWaitingChanges } from './doctor.sql.ts';
import { type Line, onlyRow } from './lines.ts';

/** Partitions for the coming months of votes; without them votes are still accepted. */
export async function monthLines(pool: pg.Pool, keep: number | undefined): Promise<Line[]> {
  const { parts, until, months } = onlyRow(await readVoteMonthsAhead(pool, {}));
  return [
    {
      name: 'Months of votes',
      value: `${parts} partitions, created until ${until ?? 'none'}, ${keep === undefined ? 'all months stored individually' : `${keep} months stored individually`}`,
      ...(months < 1
        ? {
            problem:
              'No partition is left for the coming month: votes go into the last one. Restart the site, or run: npm run florka -- votes months',
          }
        : {}),
    },
  ];
}

/** Age from which on a waiting change of votes indicates a problem. Minutes. */
const LATE_MINUTES = 10;

/**
 * Without this line a stopped ledger would remain unnoticed until a voter requests a receipt.
 *
 * @param paused nothing is appended during a pause.
 */
export async function ledgerLines(pool: pg.Pool, paused: boolean): Promise<Line[]> {
  const { waiting, late } = onlyRow(await readWaitingChanges(pool, { minutes: LATE_MINUTES }));
  const problem = (await isLedgerUnproven(pool))
    ? 'It is stopped since a restore or copy. Provide the last published state: npm run florka -- ledger accept <file>'
    : late && !paused
      ? 'Nothing is appended or signed: see the log of the site.'
      : null;
  return [{ name: 'To be entered', value: `${waiting} changes of votes`, ...(problem ? { problem } : {}) }];
}
