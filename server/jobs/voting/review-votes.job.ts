import { setTimeout as sleep } from 'node:timers/promises';
import type { Handler } from '#server/jobs/handler.ts';

/** Runs per job and the interval between them, so that new votes are checked well within a minute. Milliseconds. */
const RUNS_PER_JOB = 3;
const INTERVAL_MS = 20_000;

/** Runs the vote review on the votes since the last run. */
export const reviewVotes: Handler<'review-votes'> = async (_input, { services, log }) => {
  for (let run = 1; run <= RUNS_PER_JOB; run++) {
    const { held } = await services.voteReview.run();
    if (held > 0) log.info({ held }, 'votes put under review');
    // In short steps, so that a shutdown does not wait for the whole interval.
    for (let waited = 0; run < RUNS_PER_JOB && waited < INTERVAL_MS && !services.jobs.stopped; waited += 500)
      await sleep(500);
    if (services.jobs.stopped) return;
  }
};
