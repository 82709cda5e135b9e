import { setTimeout as pause } from 'node:timers/promises';
import { closeDueRound, millisecondsToEnd } from '#server/domains/voting/rounds/round-ends.service.ts';
import type { Handler } from '#server/jobs/handler.ts';

/** The job runs every minute: it waits for an end that comes before the next run. Milliseconds. */
const AHEAD_MS = 62_000;

/** Votes are refused from the end on, whether or not this has run; it stores the result. */
export const closeRound: Handler<'close-round'> = async (_input, { services: { db, present, jobs }, log }) => {
  const left = await millisecondsToEnd(db, present());
  for (const end = performance.now() + (left ?? 0); left !== null && left < AHEAD_MS; ) {
    const wait = end - performance.now();
    if (wait <= 0) break;
    if (jobs.stopped) return;
    await pause(Math.min(wait, 500));
  }
  const closed = await closeDueRound(db, present());
  if (closed) log.info(closed, 'round closed');
};
