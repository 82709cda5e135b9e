import type pg from 'pg';
import { withAdvisoryLock } from '#server/db/advisory-lock.ts';
import { readVoteParts } from '#server/db/vote-months.sql.ts';
import { dropEmptyVoteMonths, makeVoteMonths, monthOf } from '#server/db/vote-months.ts';
import { findMiscounts, type Miscount, recountVotes } from '#server/domains/voting/manage-votes.service.ts';
import { carryOldVotes } from '#server/domains/voting/old-votes/carry-votes.service.ts';
import { audit } from '#server/lib/audit.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
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
    throw new StartError(
      `Unknown option ${option} of votes recount: without an option it reports, with --fix it corrects.`,
    );
  return withDatabase(async ({ db }) => {
    const wrong = await findMiscounts(db);
    if (wrong.length === 0) {
      console.log('Every total equals its votes.');
      return true;
    }
    if (option === undefined) {
      for (const one of wrong) console.log(lineOf(one));
      console.error(
        `${plural(wrong.length, 'candidate')} miscounted. To correct them: npm run florka -- votes recount --fix`,
      );
      return false;
    }
    for (const { id } of wrong) {
      const corrected = await recountVotes(db, OPERATOR, id, new Date());
      if (corrected) console.log(`Corrected: ${lineOf(corrected)}`);
    }
    return true;
  });
}

/** Under the schema lock, on one connection of the owner. */
const asOwner = <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  withAdvisoryLock(pool.options, 'schema', async () => {
    const client = await pool.connect();
    try {
      return await work(client);
    } finally {
      // It may have other limits now.
      client.release(true);
    }
  });

const today = (now: Date): string => now.toISOString().slice(0, 10);

/** Makes the months of votes that are missing, as a start does, and prints all of them. */
export async function months(): Promise<boolean> {
  return withDatabase(
    async ({ pool, env }) => {
      await asOwner(pool, (client) => makeVoteMonths(client, today(new Date())));
      for (const { name, from, to } of await readVoteParts(pool, {}))
        console.log(
          `${name}: votes for ${from ? `days from ${from}` : 'all days'}${to ? ` until before ${to}` : ' on'}`,
        );
      console.log(
        env.VOTES_KEEP_MONTHS === undefined
          ? 'All votes are kept: VOTES_KEEP_MONTHS is not set.'
          : `Votes before ${monthOf(today(new Date()), -env.VOTES_KEEP_MONTHS)} become sums with: npm run florka -- votes carry`,
      );
      return true;
    },
    'prepared',
    'owner',
  );
}

/**
 * Turns votes that are older than VOTES_KEEP_MONTHS into sums and drops the months that are empty then. Safe beside a running
 * server, and to be interrupted: the next call continues.
 *
 * @returns whether nothing stood in the way. @throws StartError where the setting is missing.
 */
export async function carry(): Promise<boolean> {
  return withDatabase(
    async ({ pool, db, env }) => {
      if (env.VOTES_KEEP_MONTHS === undefined)
        throw new StartError('VOTES_KEEP_MONTHS is not set: all votes are kept, and nothing was changed.');
      const now = new Date();
      const before = monthOf(today(now), -env.VOTES_KEEP_MONTHS);
      const done = await carryOldVotes(db, OPERATOR, { before, now });
      if (done.obstacles.length > 0) {
        console.error(`No votes before ${before} were turned into sums: ${done.obstacles.join('; ')}.`);
        return false;
      }
      console.log(`${plural(done.votes, 'vote')} before ${before} deleted, ${done.counted} of them added to sums.`);
      for (const { why, votes } of done.waiting) console.log(`${plural(votes, 'vote')} kept: ${why}.`);
      const note = async (name: string) => {
        await db.transaction((tx) =>
          audit(tx, OPERATOR, { action: 'votes.month_dropped', resourceType: 'vote_month', resourceId: name }),
        );
        console.log(`Dropped: ${name}`);
      };
      await asOwner(pool, (client) => dropEmptyVoteMonths(client, before, note));
      return true;
    },
    'prepared',
    'owner',
  );
}

/**
 * Makes votes from a seed, honest and bought, and prints what the signals would hold of them. Touches no database.
 *
 * @returns whether 95 % of the bought votes were held, and at most 1 % of the honest ones. @throws StartError for other words.
 */
export async function simulate(option = '--seed', value = '1'): Promise<boolean> {
  const seed = Number(value);
  if (option !== '--seed' || !Number.isSafeInteger(seed) || seed < 0)
    throw new StartError('--seed needs a whole number: the same number makes the same votes.');
  return printSimulation(seed);
}
