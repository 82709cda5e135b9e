import { deliverNotifications } from '#server/domains/notifications/deliver.service.ts';
import { notifyOfRounds } from '#server/domains/notifications/round-results.service.ts';
import type { Handler } from '#server/jobs/handler.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';

/** Runs once a minute, so that a notification is mailed and pushed within that time, outside of quiet hours. */
export const deliverNotificationsJob: Handler<'deliver-notifications'> = async (
  _input,
  { services: { db, jobs, push, telegram, secret, publicUrl, settings, now }, log },
) => {
  let voters = 0;
  let done = { mails: 0, pushes: 0, messages: 0 };
  const parts = [
    async () => {
      voters = await notifyOfRounds(db, now());
    },
    async () => {
      done = await deliverNotifications({ db, jobs, push, telegram, secret, publicUrl, settings, now });
    },
  ];
  try {
    await runEachSettled(parts, (part) => part());
  } finally {
    if (voters + done.mails + done.pushes + done.messages > 0) log.info({ voters, ...done }, 'notifications delivered');
  }
};
