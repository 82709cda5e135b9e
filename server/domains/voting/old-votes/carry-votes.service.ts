import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { lockCandidates, withdrawing } from '#server/domains/voting/vote-states.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import {
  carrySome,
  forgetClusterVotes,
  forgetSalts,
  readCarryObstacles,
  readOldVotes,
  readWaitingOldVotes,
} from './carry-votes.sql.ts';

/** Votes per transaction: the lock on their candidate blocks new votes until its commit. */
const BATCH_SIZE = 1_000;
/** Time after a decision about votes during which they are not carried, because it may still be undone. Milliseconds. */
const SETTLED_MS = 30 * 86_400_000;
/** Transaction limits of a job, because a candidate may have a million votes. */
const BULK = { work: 'job' } as const;

const OBSTACLES = {
  openRound: 'the round that is open began before',
  ledger: 'the ledger has not entered the votes from before it',
  results: 'the ledger has not stated all results',
  sums: 'the reports have not read all of these votes',
  notices: 'the voters of a round are not notified yet',
  resets: 'a reset of a former version can still be undone',
} as const;

/** Result of carrying votes. */
export interface Carried {
  /** Deleted votes, and how many of them are in sums now. */
  votes: number;
  counted: number;
  /** Reasons for which nothing was done at all. */
  obstacles: string[];
  /** Votes before the day that were left for now, by reason. */
  waiting: { why: string; votes: number }[];
}

/**
 * Carries votes from before a day into sums: each total, day, rank and result is unchanged, and the vote ledger gets no entry. The
 * identity of the voters is deleted. A vote that may still change is left, whatever its age. One transaction per up to 1,000 votes
 * of one candidate; an interrupted run is continued by the next call.
 *
 * @param before 'YYYY-MM-DD', the first day of a month.
 * @param options.pause share of the time left to others, so that new votes are not blocked.
 */
export async function carryOldVotes(
  db: Db,
  actor: Actor,
  { before, now, pause = 1 }: { before: string; now: Date; pause?: number },
): Promise<Carried> {
  const [found] = await readCarryObstacles(db, { before });
  const obstacles = Object.entries(OBSTACLES).flatMap(([name, description]) =>
    found?.[name as keyof typeof OBSTACLES] === false ? [] : [description],
  );
  if (obstacles.length > 0) return { votes: 0, counted: 0, obstacles, waiting: [] };
  let votes = 0;
  let counted = 0;
  for (const group of await readOldVotes(db, { before })) {
    for (let gone = BATCH_SIZE; gone === BATCH_SIZE; ) {
      const began = performance.now();
      const slice = await carrySlice(db, actor, group, now);
      gone = slice.gone;
      votes += slice.gone;
      counted += slice.counted;
      await sleep((performance.now() - began) * pause);
    }
  }
  await forget(db, before);
  return { votes, counted, obstacles, waiting: await readWaitingOldVotes(db, { before }) };
}

const carrySlice = (
  db: Db,
  actor: Actor,
  { candidateId, generation, day }: Awaited<ReturnType<typeof readOldVotes>>[number],
  now: Date,
): Promise<{ gone: number; counted: number }> =>
  db.transaction(async (tx) => {
    await lockCandidates(tx, sql`(select ${candidateId}::uuid)`);
    await withdrawing(tx, 'carried');
    const [slice] = await carrySome(tx, {
      candidate: candidateId,
      generation,
      day,
      decidedBefore: new Date(now.getTime() - SETTLED_MS),
      max: BATCH_SIZE,
    });
    const { gone = 0, counted = 0 } = slice ?? {};
    // Deletes the cluster rows of these votes, and those of the same day whose votes were deleted otherwise.
    if (gone > 0) await forgetClusterVotes(tx, { day, max: 10 * BATCH_SIZE });
    if (gone > 0)
      await audit(tx, actor, {
        action: 'votes.carried',
        resourceType: 'candidate',
        resourceId: candidateId,
        after: { votedOn: day, votes: gone },
      });
    return { gone, counted };
  }, BULK);

/** Deletes the salts with which the leaves of a member could still be found in the database. */
async function forget(db: Db, before: string): Promise<void> {
  for (let gone = BATCH_SIZE; gone === BATCH_SIZE; )
    gone = (await forgetSalts(db, { before, max: BATCH_SIZE }))[0]?.gone ?? 0;
}
