import { setImmediate as letOthers } from 'node:timers/promises';
import type { Db } from '#server/db/client.ts';
import { holdFinding, relatedFindings } from './hold.service.ts';
import { idBefore, openRoundId, readVotes } from './load.service.ts';
import { ReviewWindow } from './review-window.policy.ts';
import { findSuspects } from './signals.policy.ts';

/** The newest votes of a round that are kept in memory and compared. */
const KEPT = 200_000;
/** Votes read at once. */
const PAGE = 5_000;
/** Votes of transactions that committed late have lower ids than those that were read: so many are looked at again. */
const OVERLAP = 3_000;

export interface VoteReview {
  /**
   * Looks at the votes of the open round that were cast since this process last looked, and puts under review what a signal
   * finds. Safe to run twice, and in several processes. After a run that failed everything is looked at anew.
   *
   * @returns how many votes are new, and how many were put under review.
   */
  run(): Promise<{ looked: number; held: number }>;
}

/** @param now when clusters are found and grow. */
export function createVoteReview(db: Db, now: () => Date): VoteReview {
  let round: string | null = null;
  let window = new ReviewWindow(KEPT);
  let cursor = 0;
  let running: Promise<unknown> = Promise.resolve();

  async function run(): Promise<{ looked: number; held: number }> {
    const current = await openRoundId(db);
    if (current === null) return { looked: 0, held: 0 };
    if (current !== round) {
      round = current;
      window = new ReviewWindow(KEPT);
      cursor = await idBefore(db, KEPT);
    }
    let looked = 0;
    let held = 0;
    for (let after = Math.max(0, cursor - OVERLAP); ; ) {
      const votes = await readVotes(db, current, after, PAGE);
      const fresh = votes
        .filter(({ id }) => !window.has(id))
        .map((vote) => ({ ...vote, member: window.member(vote.member) }));
      looked += fresh.length;
      const touched = window.add(fresh);
      for (const finding of await relatedFindings(db, current, fresh))
        held += await holdFinding(db, current, finding, now());
      for (const findings of findSuspects(window, touched)) {
        for (const finding of findings) held += await holdFinding(db, current, finding, now());
        await letOthers();
      }
      after = votes.at(-1)?.id ?? after;
      cursor = Math.max(cursor, after);
      if (votes.length < PAGE) return { looked, held };
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
