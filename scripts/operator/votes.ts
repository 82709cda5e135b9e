import { findMiscounts, type Miscount, recountVotes } from '#server/domains/voting/manage-votes.service.ts';
import { StartError } from '#server/lib/start-error.ts';
import { OPERATOR, withDatabase } from './database.ts';
import { printSimulation } from './simulation/report.ts';

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;
const lineOf = ({ id, tokenName, total, counted, days }: Miscount) =>
  `${tokenName} (${id}): says ${total}, has ${plural(counted, 'vote')}; ${plural(days, 'day')} wrong`;

/**
 * Compares the counters of every candidate with its votes; with `--fix` writes what was counted. Safe beside a running
 * server: whoever votes meanwhile waits for one candidate at most.
 *
 * @returns whether the counters are right now. @throws StartError for any other word.
 */
export async function recount(option?: string): Promise<boolean> {
  if (option !== undefined && option !== '--fix')
    throw new StartError(`${option} is no option of votes recount: leave it out for a report, or say --fix.`);
  return withDatabase(async ({ db }) => {
    const wrong = await findMiscounts(db);
    if (wrong.length === 0) {
      console.log('Every total equals its votes.');
      return true;
    }
    if (option === undefined) {
      for (const one of wrong) console.log(lineOf(one));
      console.error(
        `${plural(wrong.length, 'candidate')} miscounted. To mend them: npm run florka -- votes recount --fix`,
      );
      return false;
    }
    for (const { id } of wrong) {
      const mended = await recountVotes(db, OPERATOR, id, new Date());
      if (mended) console.log(`Mended: ${lineOf(mended)}`);
    }
    return true;
  });
}

/**
 * Makes votes from a seed, honest and bought, and prints what the signals would hold of them. Touches no database.
 *
 * @returns whether 95 % of the bought votes were held, and at most 1 % of the honest ones. @throws StartError for other words.
 */
export async function simulate(option = '--seed', value = '1'): Promise<boolean> {
  const seed = Number(value);
  if (option !== '--seed' || !Number.isSafeInteger(seed) || seed < 0)
    throw new StartError('Say --seed and a whole number: the same one makes the same votes.');
  return printSimulation(seed);
}
