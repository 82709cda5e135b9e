import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Db } from '#server/db/client.ts';
import { createLoadThrottle, type LoadThrottle } from '#server/lib/concurrency/load-throttle.ts';
import { finishDecisions } from './decide.service.ts';
import { type FindingBatch, holdFinding, relatedFindings } from './hold.service.ts';
import { idBefore, newestId, openRoundId, readVotes } from './read-votes.service.ts';
import type { ReviewVote } from './review-window.ts';
import { createSuspectThread, type SuspectSource } from './suspect-thread.ts';

/** Limits of the review; tests use smaller ones. */
export const REVIEW_SIZES = {
  /** Number of newest votes of a round that are cached in memory and compared. */
  window: 200_000,
  /** Votes per query, and per message to the signal thread. */
  page: 500,
  /**
   * Minimum number of new votes per evaluation, because each evaluation covers all votes of the candidates. When more are waiting,
   * it grows to half of the votes evaluated before, so that a full window costs a few evaluations instead of twenty.
   */
  together: 10_000,
  /** Votes of transactions that committed late have lower ids than those already read: this many ids are read again. */
  overlap: 3_000,
  /** Votes per transaction that puts them under review: the lock on their candidate blocks new votes until its commit. */
  held: 500,
};
/** Share of the time that the review may use while many members vote. */
const SHARE = 0.25;

export interface VoteReview {
  /**
   * Evaluates the votes of the open round that were cast since the last run of this process, and puts those under review that a
   * signal finds. Safe to repeat and to run in several processes. After a failed run everything is evaluated again.
   *
   * @returns the number of new votes, and of those put under review.
   */
  run(): Promise<{ looked: number; held: number }>;
  /**
   * Continues decisions about clusters that are being executed. Safe to repeat and to run in several processes.
   *
   * @param stopped checked after each transaction.
   * @returns the number of changed votes.
   */
  finishDecisions(stopped?: () => boolean): Promise<number>;
}

interface Options {
  /** Throttles the review in favour of requests. */
  throttle?: LoadThrottle;
  sizes?: typeof REVIEW_SIZES;
  /** Implementation of the signals; a separate thread by default. */
  suspects?: SuspectSource;
}

/**
 * The signals run in a thread of their own: the main thread reads a page of votes, passes it on, and holds a batch of findings, and
 * handles requests between these steps.
 *
 * @param now time at which clusters are created and extended.
 */
export function createVoteReview(db: Db, now: () => Date, options: Options = {}): VoteReview {
  const { throttle = createLoadThrottle(), sizes = REVIEW_SIZES } = options;
  const suspects = options.suspects ?? createSuspectThread(sizes.window);
  let round: string | null = null;
  let cursor = 0;
  /** Votes that were passed on and that the next run may read again. */
  let seen = new Set<number>();
  /** Number of votes of the round that were passed on. */
  let handed = 0;
  let running: Promise<unknown> = Promise.resolve();

  /** Runs one step of the work and then yields to other work. */
  async function slice<T>(work: () => Promise<T> | T): Promise<T> {
    const began = performance.now();
    const result = await work();
    await yieldToEventLoop();
    await throttle.yieldToTraffic(performance.now() - began, SHARE);
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

  /** Resets the state of the evaluation. */
  async function begin(roundId: string): Promise<void> {
    suspects.end();
    round = roundId;
    seen = new Set();
    handed = 0;
    cursor = await idBefore(db, sizes.window);
  }

  async function run(): Promise<{ looked: number; held: number }> {
    const current = await openRoundId(db);
    if (current === null) return { looked: 0, held: 0 };
    if (current !== round) await begin(current);
    // The newest id of any round: after this run, votes of this round up to it are not searched again.
    const newest = await newestId(db);
    let looked = 0;
    let held = 0;
    let gathered = 0;
    for (let after = Math.max(0, cursor - sizes.overlap); ; ) {
      const votes = await slice(() => readVotes(db, current, after, sizes.page));
      const found = votes.filter(({ id }) => !seen.has(id));
      if (found.length > 0 && handed > 0 && !suspects.alive) {
        // The thread ended after a period without votes, and its window with it.
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

  /** Passes new votes to the signals. @returns the number of votes that belong to an existing cluster and were put under review. */
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

  /** Evaluates the votes that were passed on. @returns the number of votes put under review. */
  async function reviewRound(roundId: string): Promise<number> {
    for (let held = 0; ; ) {
      const found = await slice(() => suspects.next());
      if (found === null) return held;
      for (const { voteIds, ...finding } of found) held += await hold(roundId, finding, Array.from(voteIds));
    }
  }

  return {
    run() {
      // Runs are serialized, because they share the window.
      const next = running.then(run).catch((error: unknown) => {
        // Votes that were read may not have been put under review yet. The state has them as read, so that later runs would
        // skip them: the next run begins with an empty one.
        round = null;
        throw error;
      });
      running = next.catch(() => {});
      return next;
    },
    finishDecisions: (stopped = () => false) => finishDecisions(db, now, slice, stopped),
  };
}
