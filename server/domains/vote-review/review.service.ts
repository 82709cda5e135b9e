import { setImmediate as letOthers } from 'node:timers/promises';
import type { Db } from '#server/db/client.ts';
import { createPace, type Pace } from '#server/lib/pace.ts';
import { holdFinding, relatedFindings } from './hold.service.ts';
import { idBefore, newestId, openRoundId, readVotes } from './load.service.ts';
import { type Finding, ReviewWindow } from './review-window.policy.ts';
import { findSuspects } from './signals.policy.ts';

/** The newest votes of a round that are kept in memory and compared. */
const KEPT = 200_000;
/** Votes read at once. */
const PAGE = 1_000;
/** Votes of transactions that committed late have lower ids than those that were read: so many are looked at again. */
const OVERLAP = 3_000;
/** Votes that are put under review in one transaction: its candidate takes no vote meanwhile. */
const HELD = 500;
/** Of the time, while many members vote. */
const SHARE = 0.25;

export interface VoteReview {
  /**
   * Looks at the votes of the open round that were cast since this process last looked, and puts under review what a signal
   * finds. Safe to run twice, and in several processes.
   *
   * @returns how many votes are new, and how many were put under review.
   */
  run(): Promise<{ looked: number; held: number }>;
}

/**
 * @param now when clusters are found and grow.
 * @param pace makes room for members who vote.
 */
export function createVoteReview(db: Db, now: () => Date, pace: Pace = createPace()): VoteReview {
  let round: string | null = null;
  let window = new ReviewWindow(KEPT);
  let cursor = 0;
  let running: Promise<unknown> = Promise.resolve();

  /** One piece of the work, and what the others get for it. */
  async function slice<T>(work: () => Promise<T> | T): Promise<T> {
    const began = performance.now();
    const result = await work();
    await letOthers();
    await pace.rest(performance.now() - began, SHARE);
    return result;
  }

  async function hold(roundId: string, findings: readonly Finding[]): Promise<number> {
    let held = 0;
    for (const finding of findings)
      for (let from = 0; from < finding.votes.length; from += HELD) {
        const part = { ...finding, votes: finding.votes.slice(from, from + HELD) };
        held += await slice(() => holdFinding(db, roundId, part, now()));
      }
    return held;
  }

  async function run(): Promise<{ looked: number; held: number }> {
    const current = await openRoundId(db);
    if (current === null) return { looked: 0, held: 0 };
    if (current !== round) {
      round = current;
      window = new ReviewWindow(KEPT);
      cursor = await idBefore(db, KEPT);
    }
    // Of any round: among votes up to here none of this one is looked for again.
    const newest = await newestId(db);
    let looked = 0;
    let held = 0;
    for (let after = Math.max(0, cursor - OVERLAP); ; ) {
      const votes = await slice(() => readVotes(db, current, after, PAGE));
      const fresh = votes
        .filter(({ id }) => !window.has(id))
        .map((vote) => ({ ...vote, member: window.member(vote.member) }));
      looked += fresh.length;
      const touched = await slice(() => window.add(fresh));
      held += await hold(current, await relatedFindings(db, current, fresh));
      const suspects = findSuspects(window, touched);
      for (;;) {
        const next = await slice(() => suspects.next());
        if (next.done) break;
        held += await hold(current, next.value);
      }
      after = votes.at(-1)?.id ?? after;
      cursor = Math.max(cursor, after);
      if (votes.length < PAGE) {
        cursor = Math.max(cursor, newest);
        return { looked, held };
      }
    }
  }

  return {
    run() {
      // One after the other: they share the window.
      const next = running.then(run, run);
      running = next.catch(() => {});
      return next;
    },
  };
}
