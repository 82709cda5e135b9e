// The table of votes has a partition for each month of the UTC day. Its owner creates them; the site's role can't (ADR 0066).
import type { ClientBase } from 'pg';
import { retryWhileLocked } from './online-migration.ts';
import { readFormerVoteParts, readNewestLater, readOwnsVotes, readVoteParts } from './vote-months.sql.ts';

/** Months after the current one that exist after a start. Later votes are in the last partition. */
const MONTHS_AHEAD = 6;
const LATER = 'votes_later';

type Part = Awaited<ReturnType<typeof readVoteParts>>[number];

/** The first day of a month. @param day 'YYYY-MM-DD'. @param later months after it; negative: before. */
export function monthOf(day: string, later = 0): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + later, 1)).toISOString().slice(0, 10);
}

const nameOf = (month: string): string => `votes_${month.slice(0, 7).replace('-', '_')}`;

/** In one transaction with a lock timeout of two seconds, which is retried. */
const briefly = (client: ClientBase, work: () => Promise<void>): Promise<void> =>
  retryWhileLocked(async () => {
    await client.query("begin; set local lock_timeout = '2s'");
    try {
      await work();
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  });

/** True when months are missing that the role of the connection could create. @param today 'YYYY-MM-DD' in UTC. */
export async function lacksVoteMonths(client: ClientBase, today: string): Promise<boolean> {
  const [role] = await readOwnsVotes(client, {});
  const last = role?.owns ? (await readVoteParts(client, {})).at(-1) : undefined;
  return last?.to === null && last.from !== null && last.from < monthOf(today, MONTHS_AHEAD + 1);
}

/**
 * Creates the months ahead, as the owner and under the schema lock. The last partition, which has no end, is replaced: usually it
 * is empty; if it contains votes because no months were created for long, it remains as one partition of all of these months.
 *
 * @param today 'YYYY-MM-DD' in UTC.
 * @returns the created partitions.
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
    // Checked under the lock of the detach, which excludes new votes in it.
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
  // Autovacuum analyses the partitions, but never the partitioned table.
  await client.query('analyze votes');
  return made;
}

/** The last partition contains votes: it gets an end, proved by a validated check, and a new empty one follows. */
async function endLater(client: ClientBase, from: string, end: string): Promise<void> {
  const check = 'votes_later_ends';
  await retryWhileLocked(() => client.query(`alter table ${LATER} drop constraint if exists ${check}`));
  await retryWhileLocked(() =>
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

/** True when a table contains no vote. */
const isEmpty = async (client: ClientBase, name: string): Promise<boolean> =>
  (await client.query(`select 1 from ${name} limit 1`)).rowCount === 0;

/**
 * Detaches an empty partition concurrently. At its end that locks the tables that votes refer to for a moment, so its lock timeout
 * is two seconds, after which it is retried: nothing is blocked for longer. An interrupted detach is completed.
 */
const detach = (client: ClientBase, name: string): Promise<void> =>
  retryWhileLocked(async () => {
    const part = (await readVoteParts(client, {})).find((one) => one.name === name);
    if (part)
      await client.query(`alter table votes detach partition ${name} ${part.leaving ? 'finalize' : 'concurrently'}`);
  });

/**
 * Drops the partitions that ended by a given day and contain no votes, without blocking any other statement for more than two
 * seconds. Continues after an interruption. As the owner and under the schema lock.
 *
 * @param before 'YYYY-MM-DD': partitions that end then or earlier.
 * @param onDropped called after each one, because a later one may fail.
 * @returns the dropped partitions.
 */
export async function dropEmptyVoteMonths(
  client: ClientBase,
  before: string,
  onDropped: (name: string) => Promise<void> = async () => {},
): Promise<string[]> {
  await client.query("set lock_timeout = '2s'");
  for (const part of await readVoteParts(client, {}))
    if (hasEnded(part, before) && (part.leaving || (await isEmpty(client, part.name)))) await detach(client, part.name);
  const gone: string[] = [];
  for (const { name } of await readFormerVoteParts(client, {})) {
    if (!(await isEmpty(client, name)))
      throw new Error(`${name} is no part of votes any more, and has votes: it was left alone`);
    await retryWhileLocked(() => client.query(`drop table ${name}`));
    gone.push(name);
    await onDropped(name);
  }
  return gone;
}

/** The partition without an end remains, whatever it contains. */
const hasEnded = ({ to }: Part, before: string): boolean => to !== null && to <= before;
