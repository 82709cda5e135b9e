import { setTimeout as pause } from 'node:timers/promises';
import { runAs } from '#server/db/timeouts.ts';
import { closeDueRound, millisecondsToEnd } from '#server/domains/voting/rounds/round-ends.service.ts';
import type { Handler, JobContext } from '#server/jobs/handler.ts';

/** Interval at which the end of the open round is read again, because an admin may move it. Milliseconds. */
const READ_INTERVAL_MS = 1_000;

/** Votes are refused from the end on, whether or not this has run; it stores the result. */
export const closeRound: Handler<'close-round'> = (_input, context) => close(context);

async function close({ services: { db, present }, log }: JobContext): Promise<void> {
  const closed = await closeDueRound(db, present());
  if (closed) log.info(closed, 'round closed');
}

/**
 * Closes the round at its end, also at one that an admin has just moved. What fails here is done by the recurring job.
 * Ends with the jobs.
 */
export function closeRoundOnTime(context: JobContext): void {
  const { services, log } = context;
  const { db, present, jobs } = services;
  const ended = new AbortController();
  let failing = false;
  /** @returns the time until the next attempt, in milliseconds. */
  const attempt = async (): Promise<number> => {
    try {
      const left = await millisecondsToEnd(db, present());
      if (left === null) return READ_INTERVAL_MS;
      if (left > 0) return Math.min(READ_INTERVAL_MS, Math.ceil(left));
      await close(context);
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
