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

/** Votes that one transaction carries: their candidate takes no vote meanwhile. */
const BATCH_SIZE = 1_000;
/** A decision about votes can be taken back for so long before they are carried. Milliseconds. */
const SETTLED_MS = 30 * 86_400_000;
/** A candidate may have a million votes. */
const BULK = { work: 'job' } as const;

const OBSTACLES = {
  openRound: 'the round that is open began before',
  ledger: 'the ledger has not entered the votes from before it',
  results: 'the ledger has not stated all results',
  sums: 'the reports have not read all of these votes',
  notices: 'the voters of a round are not notified yet',
  resets: 'a reset of a former version can still be undone',
} as const;

/** What carrying came to. */
export interface Carried {
  /** Votes that went, and how many of them are in sums now. */
  votes: number;
  counted: number;
  /** Why nothing was done at all. */
  obstacles: string[];
  /** Votes before the day that stay for now, by what stands in the way. */
  waiting: { why: string; votes: number }[];
}

/**
 * Carries votes from before a day: each total, day, place and result stays as it is, and the ledger has nothing to enter. What
 * goes is who cast them. A vote that something may still change stays, whatever its age. One transaction for up to 1,000 votes of
 * one candidate, as often as it takes; what was cut short is gone on with by the next call.
 *
 * @param before 'YYYY-MM-DD', the first day of a month.
 * @param options.pause share of the time for others, so that votes come in between.
 */
export async function carryOldVotes(
  db: Db,
  actor: Actor,
  { before, now, pause = 1 }: { before: string; now: Date; pause?: number },
): Promise<Carried> {
  const [found] = await readCarryObstacles(db, { before });
  const obstacles = Object.entries(OBSTACLES).flatMap(([name, words]) =>
    found?.[name as keyof typeof OBSTACLES] === false ? [] : [words],
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
      most: BATCH_SIZE,
    });
    const { gone = 0, counted = 0 } = slice ?? {};
    // The links of clusters to these votes, and to those of the day that went otherwise.
    if (gone > 0) await forgetClusterVotes(tx, { day, most: 10 * BATCH_SIZE });
    if (gone > 0)
      await audit(tx, actor, {
        action: 'votes.carried',
        resourceType: 'candidate',
        resourceId: candidateId,
        after: { votedOn: day, votes: gone },
      });
    return { gone, counted };
  }, BULK);

/** Salts by which somebody with the database could still find the leaves of a member. */
async function forget(db: Db, before: string): Promise<void> {
  for (let gone = BATCH_SIZE; gone === BATCH_SIZE; )
    gone = (await forgetSalts(db, { before, most: BATCH_SIZE }))[0]?.gone ?? 0;
}
