import type { Handler } from '#server/jobs/handler.ts';
import { publishChange } from '#server/live/publish.ts';

/**
 * Publishes that the day of votes is another one: who voted may vote again, and counts of today begin at zero. No vote has to
 * arrive for that, so open pages would show the day before until they are opened again.
 */
export const newVotingDay: Handler<'new-voting-day'> = (_input, { services: { db } }) =>
  db.transaction((tx) => publishChange(tx, 'voting'));
