import { uuid } from '#server/db/pg-types.ts';
import { command } from '#server/db/statement.ts';

/** Makes the running attempt of a job its last one. */
export const endAttempts = command({
  parameters: { jobId: uuid },
  text: (at) => `update jobs.job set retry_limit = retry_count where id = ${at.jobId} and state = 'active'`,
});
