import type { Handler } from '#server/jobs/handler.ts';

/** Carries out decisions about clusters of votes beyond their first piece, and what a process left that ended. */
export const decideVotes: Handler<'decide-votes'> = async (_input, { services, log }) => {
  const changed = await services.voteReview.finishDecisions(() => services.jobs.stopped);
  if (changed > 0) log.info({ changed }, 'votes decided');
};
