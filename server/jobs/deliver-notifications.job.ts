import { deliverNotifications } from '#server/domains/notifications/deliver.service.ts';
import { notifyOfRounds } from '#server/domains/notifications/round-results.service.ts';
import type { Handler } from './handler.ts';

/** Once a minute: a notification is mailed and pushed within that, outside of quiet hours. */
export const deliverNotificationsJob: Handler<'deliver-notifications'> = async (
  _input,
  { services: { db, jobs, push, secret, now }, log },
) => {
  const voters = await notifyOfRounds(db, now());
  const { mails, pushes } = await deliverNotifications({ db, jobs, push, secret, now: now() });
  if (voters + mails + pushes > 0) log.info({ voters, mails, pushes }, 'notifications delivered');
};
