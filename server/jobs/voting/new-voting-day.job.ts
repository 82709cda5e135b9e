import { publishNewDay } from '#server/domains/voting/voting-day.service.ts';
import type { Handler } from '#server/jobs/handler.ts';

/** Publishes at 00:00 UTC that votes are counted for another day. */
export const newVotingDay: Handler<'new-voting-day'> = (_input, { services: { db } }) => publishNewDay(db);
