import { setImmediate as letOthers } from 'node:timers/promises';
import type { Db } from '#server/db/client.ts';
import { createPace, type LoadThrottle } from '#server/lib/concurrency/pace.ts';
import { finishDecisions } from './decide.service.ts';
import { type FindingBatch, holdFinding, relatedFindings } from './hold.service.ts';
import { idBefore, newestId, openRoundId, readVotes } from './load.service.ts';
import type { ReviewVote } from './review-window.policy.ts';
import { createSuspectThread, type SuspectSource } from './suspect-thread.ts';

/** Limits of the review; tests have smaller ones. */
export const REVIEW_SIZES = {
  /** The newest votes of a round that are kept in memory and compared. */
  kept: 200_000,
  /** Votes that are read at once, and handed to the thread of the signals. */
  page: 500,
  /**
   * New votes that are shown to the signals together, at least: each time those look at all votes of the candidates. When more
   * wait than this, half as many as were shown before, so that a full window costs a few looks and not twenty.
   */
  together: 10_000,
  /** Votes of transactions that committed late have lower ids than those that were read: so many are looked at again. */
  overlap: 3_000,
  /** Votes that are put under review in one transaction: its candidate takes no vote meanwhile. */
  held: 500,
};
/** Of the time, while many members vote. */
const SHARE = 0.25;

export interface VoteReview {
  /**
   * Looks at the votes of the open round that were cast since this process last looked, and puts under review what a signal
   * finds. Safe to run twice, and in several processes. After a run that failed everything is looked at anew.
   *
   * @returns how many votes are new, and how many were put under review.
   */
  run(): Promise<{ looked: number; held: number }>;
  /**
   * Goes on with decisions about clusters that are being carried out. Safe to run twice, and in several processes.
   *
   * @param stopped asked after each piece.
   * @returns how many votes changed.
   */
  finishDecisions(stopped?: () => boolean): Promise<number>;
}

interface Options {
  /** Makes room for members who vote. */
  pace?: LoadThrottle;
  sizes?: typeof REVIEW_SIZES;
  /** Where the signals run; otherwise on a thread of their own. */
  suspects?: SuspectSource;
}

/**
 * The signals run on a thread of their own: what this one does is read a page of votes, hand it over, and hold a piece of what
 * was found, and between any two of these it answers requests.
 *
 * @param now when clusters are found and grow.
 */
export function createVoteReview(db: Db, now: () => Date, options: Options = {}): VoteReview {
  const { pace = createPace(), sizes = REVIEW_SIZES } = options;
  const suspects = options.suspects ?? createSuspectThread(sizes.kept);
  let round: string | null = null;
  let cursor = 0;
  /** Votes that were handed over and that the next run may read again. */
  let seen = new Set<number>();
  /** Votes of the round that were handed over. */
  let handed = 0;
  let running: Promise<unknown> = Promise.resolve();

  /** One piece of the work, and what the others get for it. */
  async function slice<T>(work: () => Promise<T> | T): Promise<T> {
    const began = performance.now();
    const result = await work();
    await letOthers();
    await pace.yieldToTraffic(performance.now() - began, SHARE);
    return result;
  }

  async function hold(roundId: string, finding: Omit<FindingBatch, 'voteIds'>, voteIds: readonly number[]) {
    let all = 0;
    for (let from = 0; from < voteIds.length; from += sizes.held) {
      const piece = voteIds.slice(from, from + sizes.held);
      all += await slice(async () => {
        const { held, placed } = await holdFinding(db, roundId, { ...finding, voteIds: piece }, now());
        await suspects.place(placed);
        return held;
      });
    }
    return all;
  }

  /** Forgets what was looked at. */
  async function begin(roundId: string): Promise<void> {
    suspects.end();
    round = roundId;
    seen = new Set();
    handed = 0;
    cursor = await idBefore(db, sizes.kept);
  }

  async function run(): Promise<{ looked: number; held: number }> {
    const current = await openRoundId(db);
    if (current === null) return { looked: 0, held: 0 };
    if (current !== round) await begin(current);
    // Of any round: among votes up to here none of this one is looked for again.
    const newest = await newestId(db);
    let looked = 0;
    let held = 0;
    let gathered = 0;
    for (let after = Math.max(0, cursor - sizes.overlap); ; ) {
      const votes = await slice(() => readVotes(db, current, after, sizes.page));
      const found = votes.filter(({ id }) => !seen.has(id));
      if (found.length > 0 && handed > 0 && !suspects.alive) {
        // Nobody voted for so long that the thread ended, and what it knew with it.
        await begin(current);
        after = Math.max(0, cursor - sizes.overlap);
        continue;
      }
      held += await take(current, found);
      gathered += found.length;
      looked += found.length;
      after = votes.at(-1)?.id ?? after;
      const last = votes.length < sizes.page;
      if (!last && gathered < Math.max(sizes.together, (handed - gathered) / 2)) continue;
      if (gathered > 0) held += await reviewRound(current);
      gathered = 0;
      cursor = Math.max(cursor, after, last ? newest : 0);
      for (const id of seen) if (id <= cursor - sizes.overlap) seen.delete(id);
      if (last) return { looked, held };
    }
  }

  /** Hands new votes to the signals. @returns how many belong to a cluster already, and were put under review. */
  async function take(roundId: string, votes: readonly ReviewVote[]): Promise<number> {
    if (votes.length === 0) return 0;
    await slice(() => suspects.add(votes));
    handed += votes.length;
    for (const { id } of votes) seen.add(id);
    let held = 0;
    for (const { voteIds, ...finding } of await relatedFindings(db, roundId, votes))
      held += await hold(roundId, finding, voteIds);
    return held;
  }

  /** Has the signals look at what was handed over. @returns how many votes were put under review. */
  async function reviewRound(roundId: string): Promise<number> {
    for (let held = 0; ; ) {
      const found = await slice(() => suspects.next());
      if (found === null) return held;
      for (const { voteIds, ...finding } of found) held += await hold(roundId, finding, Array.from(voteIds));
    }
  }

  return {
    run() {
      // One after the other: they share the window.
      const next = running.then(run).catch((error: unknown) => {
        // What was read may not have been put under review: with it kept, those votes would never be new again.
        round = null;
        throw error;
      });
      running = next.catch(() => {});
      return next;
    },
    finishDecisions: (stopped = () => false) => finishDecisions(db, now, slice, stopped),
  };
}
