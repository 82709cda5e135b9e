import { setImmediate as letOthers } from 'node:timers/promises';
import type { Db } from '#server/db/client.ts';
import { createPace, type Pace } from '#server/lib/pace.ts';
import { holdFinding, relatedFindings } from './hold.service.ts';
import { idBefore, newestId, openRoundId, readVotes } from './load.service.ts';
import { type Finding, type ReviewVote, ReviewWindow } from './review-window.policy.ts';
import { findSuspects } from './signals.policy.ts';

/** The newest votes of a round that are kept in memory and compared. */
const KEPT = 200_000;
/** Votes read at once. */
const PAGE = 1_000;
/** New votes that are shown to the signals together: each time those look at all votes of the candidates. */
const TOGETHER = 10_000;
/** Votes of transactions that committed late have lower ids than those that were read: so many are looked at again. */
const OVERLAP = 3_000;
/** Votes that are put under review in one transaction: its candidate takes no vote meanwhile. */
const HELD = 500;
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
    let gathered: ReviewVote[] = [];
    for (let after = Math.max(0, cursor - OVERLAP); ; ) {
      const votes = await slice(() => readVotes(db, current, after, PAGE));
      gathered.push(...votes.filter(({ id }) => !window.has(id)));
      after = votes.at(-1)?.id ?? after;
      const last = votes.length < PAGE;
      if (!last && gathered.length < TOGETHER) continue;
      looked += gathered.length;
      held += await look(current, gathered);
      gathered = [];
      cursor = Math.max(cursor, after, last ? newest : 0);
      if (last) return { looked, held };
    }
  }

  /** Shows new votes to the signals. @returns how many votes were put under review. */
  async function look(roundId: string, votes: readonly ReviewVote[]): Promise<number> {
    const fresh = votes.map((vote) => ({ ...vote, member: window.member(vote.member) }));
    const touched = await slice(() => window.add(fresh));
    let held = await hold(roundId, await relatedFindings(db, roundId, fresh));
    const suspects = findSuspects(window, touched);
    for (;;) {
      const next = await slice(() => suspects.next());
      if (next.done) return held;
      held += await hold(roundId, next.value);
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
  };
}
