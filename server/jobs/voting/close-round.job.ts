import { setTimeout as pause } from 'node:timers/promises';
import { runAs } from '#server/db/timeouts.ts';
import { awaitLastVotes, closeDueRound, millisecondsToEnd } from '#server/domains/voting/rounds/round-ends.service.ts';
import type { Handler, JobContext } from '#server/jobs/handler.ts';

/** Interval at which the end of the open round is read again, because an admin may move it. Milliseconds. */
const READ_INTERVAL_MS = 1_000;

/** Maximum time that a closing waits for the review of the last votes, which takes two minutes for a full window. Milliseconds. */
const MAX_REVIEW_MS = 300_000;
/** A failed review evaluates everything again when it is repeated. */
const REVIEW_ATTEMPTS = 2;
/** Maximum time for which a closing continues decisions about clusters. Milliseconds. */
const MAX_DECISIONS_MS = 60_000;

/** Votes are refused from the end on, whether or not this has run; it stores the result. */
export const closeRound: Handler<'close-round'> = (_input, context) => close(context);

/** @param stopping aborts when the process ends; another one, or the next start, closes the round then. */
async function close(context: JobContext, stopping = new AbortController().signal): Promise<void> {
  const { db, fixedNow } = context.services;
  if (!(await awaitLastVotes(db, fixedNow()))) return;
  await reviewLastVotes(context, stopping);
  await completeDecisions(context, stopping);
  if (stopping.aborted) return;
  const closed = await closeDueRound(db, fixedNow());
  if (closed) context.log.info(closed, 'round closed');
}

/**
 * Reviews the votes since the last regular review: the frozen standings would contain them unreviewed. A review that fails or takes
 * too long is reported, and the round closes without it, because voting is interrupted meanwhile.
 */
async function reviewLastVotes({ services: { voteReview }, log }: JobContext, stopping: AbortSignal): Promise<void> {
  const reviewed = new AbortController();
  const review = async () => {
    for (let attempt = 1; ; attempt++)
      try {
        const { held } = await voteReview.run();
        if (held > 0) log.info({ held }, 'last votes of the round put under review');
        return;
      } catch (error) {
        log.warn({ err: error }, 'reviewing the last votes of the round failed');
        if (attempt === REVIEW_ATTEMPTS) return;
      }
  };
  const limit = async () => {
    const signal = AbortSignal.any([stopping, reviewed.signal]);
    await pause(MAX_REVIEW_MS, undefined, { ref: false, signal }).then(
      () => log.warn('the last votes of the round are not reviewed in time'),
      () => {},
    );
  };
  await Promise.race([review(), limit()]);
  reviewed.abort();
}

/**
 * Completes the decisions about clusters that are being executed in batches: the frozen standings would contain a part of each. What
 * fails or takes too long is reported, and the round closes without it.
 */
async function completeDecisions({ services: { voteReview }, log }: JobContext, stopping: AbortSignal): Promise<void> {
  const began = performance.now();
  // It is only called while votes are left.
  let late = false;
  const isOver = () => {
    late = performance.now() - began > MAX_DECISIONS_MS;
    return late || stopping.aborted;
  };
  try {
    const changed = await voteReview.finishDecisions(isOver);
    if (changed > 0) log.info({ changed }, 'decisions about votes applied before the round closes');
    if (late) log.warn('decisions about votes are not completed before the round closes');
  } catch (error) {
    log.warn({ err: error }, 'completing decisions about votes before the round closes failed');
  }
}

/**
 * Closes the round at its end, also at one that an admin has just moved. What fails here is done by the recurring job.
 * Ends with the jobs.
 */
export function closeRoundOnTime(context: JobContext): void {
  const { services, log } = context;
  const { db, fixedNow, jobs } = services;
  const ended = new AbortController();
  let failing = false;
  /** @returns the time until the next attempt, in milliseconds. */
  const attempt = async (): Promise<number> => {
    try {
      const left = await millisecondsToEnd(db, fixedNow());
      if (left === null) return READ_INTERVAL_MS;
      if (left > 0) return Math.min(READ_INTERVAL_MS, Math.ceil(left));
      await close(context, ended.signal);
      failing = false;
    } catch (error) {
      if (!failing && !jobs.stopped) log.warn({ err: error }, 'closing the round failed');
      failing = true;
    }
    return READ_INTERVAL_MS;
  };
  const follow = async () => {
    while (!jobs.stopped) {
      const wait = await runAs('job', attempt);
      await pause(wait, undefined, { ref: false, signal: ended.signal }).catch(() => {});
    }
  };
  const following = follow();
  jobs.onShutdown(() => {
    ended.abort();
    return following;
  });
}
