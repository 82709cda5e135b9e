import { notifyLaunches } from '#server/domains/saved/launches.service.ts';
import type { Handler } from '#server/jobs/handler.ts';

/** Launches are moved by hand and happen on their own date: followers are notified of both within a minute. */
export const notifyLaunchesJob: Handler<'notify-launches'> = async (_input, { services: { db, now }, log }) => {
  const mails = await notifyLaunches({ db, now: now() });
  if (mails > 0) log.info({ mails }, 'followers notified of launches');
};
