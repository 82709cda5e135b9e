// The table of votes has a part for each month of the UTC day. Its owner makes them; the site's role can't (ADR 0066).
import type { ClientBase } from 'pg';
import { untilLocked } from './online-migration.ts';
import { readFormerVoteParts, readNewestLater, readOwnsVotes, readVoteParts } from './vote-months.sql.ts';

/** Months after this one that are there after a start. Whatever comes later goes into the last part. */
const MONTHS_AHEAD = 6;
const LATER = 'votes_later';

type Part = Awaited<ReturnType<typeof readVoteParts>>[number];

/** The first day of a month. @param day 'YYYY-MM-DD'. @param later months after it; negative: before. */
export function monthOf(day: string, later = 0): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + later, 1)).toISOString().slice(0, 10);
}

const nameOf = (month: string): string => `votes_${month.slice(0, 7).replace('-', '_')}`;

/** In one transaction that waits two seconds for its locks, and begins again when it gets none. */
const briefly = (client: ClientBase, work: () => Promise<void>): Promise<void> =>
  untilLocked(async () => {
    await client.query("begin; set local lock_timeout = '2s'");
    try {
      await work();
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });

/** Whether months are missing that the role of the connection could make. @param today 'YYYY-MM-DD' in UTC. */
export async function lacksVoteMonths(client: ClientBase, today: string): Promise<boolean> {
  const [role] = await readOwnsVotes(client, {});
  const last = role?.owns ? (await readVoteParts(client, {})).at(-1) : undefined;
  return last?.to === null && last.from !== null && last.from < monthOf(today, MONTHS_AHEAD + 1);
}

/**
 * Makes the months ahead, as the owner and under the schema lock. The last part, which has no end, gives way: it is empty then,
 * or, when nobody made months for so long that votes are in it, it stays as one part of all of these months.
 *
 * @param today 'YYYY-MM-DD' in UTC.
 * @returns the parts that were made.
 */
export async function makeVoteMonths(client: ClientBase, today: string): Promise<string[]> {
  const last = (await readVoteParts(client, {})).at(-1);
  const until = monthOf(today, MONTHS_AHEAD + 1);
  if (!last?.from || last.to !== null || last.from >= until) return [];
  const newest = (await readNewestLater(client, {}))[0]?.day ?? null;
  const made: string[] = [];
  let from = last.from;
  if (newest !== null) {
    const end = monthOf(newest > today ? newest : today, 2);
    await endLater(client, last.from, end);
    made.push(`${nameOf(last.from)}_to_${monthOf(end, -1).slice(0, 7).replace('-', '_')}`);
    from = end;
  }
  await briefly(client, async () => {
    made.length = newest === null ? 0 : 1;
    if (from >= until) return;
    await client.query(`alter table votes detach partition ${LATER}`);
    // Behind the lock that detaching took: nobody votes into it any more.
    const { rowCount } = await client.query(`select 1 from ${LATER} limit 1`);
    if (rowCount) throw Object.assign(new Error('somebody voted meanwhile'), { code: '55P03' });
    for (let month = from; month < until; month = monthOf(month, 1)) {
      await client.query(
        `create table ${nameOf(month)} partition of votes for values from ('${month}') to ('${monthOf(month, 1)}')`,
      );
      made.push(nameOf(month));
    }
    await client.query(`alter table votes attach partition ${LATER} for values from ('${until}') to (maxvalue)`);
  });
  // Autovacuum takes notes of the parts, and never of the whole.
  await client.query('analyze votes');
  return made;
}

/** The last part has votes: it gets an end, which a validated check proves, and an empty one follows. */
async function endLater(client: ClientBase, from: string, end: string): Promise<void> {
  const check = 'votes_later_ends';
  await untilLocked(() => client.query(`alter table ${LATER} drop constraint if exists ${check}`));
  await untilLocked(() =>
    client.query(
      `alter table ${LATER} add constraint ${check} check (voted_on >= '${from}' and voted_on < '${end}') not valid`,
    ),
  );
  await client.query(`alter table ${LATER} validate constraint ${check}`);
  const name = `${nameOf(from)}_to_${monthOf(end, -1).slice(0, 7).replace('-', '_')}`;
  await briefly(client, async () => {
    await client.query(`alter table votes detach partition ${LATER}`);
    await client.query(`alter table ${LATER} rename to ${name}`);
    await client.query(`alter table votes attach partition ${name} for values from ('${from}') to ('${end}')`);
    await client.query(`alter table ${name} drop constraint ${check}`);
    await client.query(`create table ${LATER} partition of votes for values from ('${end}') to (maxvalue)`);
  });
}

/** Whether no vote is in a table. */
const isEmpty = async (client: ClientBase, name: string): Promise<boolean> =>
  (await client.query(`select 1 from ${name} limit 1`)).rowCount === 0;

/**
 * Takes an empty part off concurrently. At its end that locks the tables to which votes refer for an instant, so it waits two seconds
 * for any lock, at most, and begins again later: nobody waits behind it for longer. What was begun is gone on with.
 */
const detach = (client: ClientBase, name: string): Promise<void> =>
  untilLocked(async () => {
    const part = (await readVoteParts(client, {})).find((one) => one.name === name);
    if (part)
      await client.query(`alter table votes detach partition ${name} ${part.leaving ? 'finalize' : 'concurrently'}`);
  });

/**
 * Drops the parts that ended by a day and in which no vote is left, without a lock that anybody waits for longer than two seconds.
 * Goes on where one was interrupted. As the owner and under the schema lock.
 *
 * @param before 'YYYY-MM-DD': parts that end then or earlier.
 * @returns the parts that went.
 */
export async function dropEmptyVoteMonths(client: ClientBase, before: string): Promise<string[]> {
  await client.query("set lock_timeout = '2s'");
  for (const part of await readVoteParts(client, {}))
    if (hasEnded(part, before) && (part.leaving || (await isEmpty(client, part.name)))) await detach(client, part.name);
  const gone: string[] = [];
  for (const { name } of await readFormerVoteParts(client, {})) {
    if (!(await isEmpty(client, name)))
      throw new Error(`${name} is no part of votes any more, and has votes: it was left alone`);
    await untilLocked(() => client.query(`drop table ${name}`));
    gone.push(name);
  }
  return gone;
}

/** The part that has no end stays, whatever is in it. */
const hasEnded = ({ to }: Part, before: string): boolean => to !== null && to <= before;
