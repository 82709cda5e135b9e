import type { Handler } from '#server/jobs/handler.ts';

/**
 * Continues decisions about clusters of votes after their first batch, and those that an ended process left unfinished.
 */
export const decideVotes: Handler<'decide-votes'> = async (_input, { services, log }) => {
  const changed = await services.voteReview.finishDecisions(() => services.jobs.stopped);
  if (changed > 0) log.info({ changed }, 'decisions about votes applied');
};
