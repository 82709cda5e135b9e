import { notifyCreated } from '#server/domains/token-creation/notify.service.ts';
import { remindPayers } from '#server/domains/token-creation/proposals.service.ts';
import type { Handler } from '#server/jobs/handler.ts';

/** Tokens are made by another program: their customers are notified of it within a minute. Payers who were asked are reminded. */
export const notifyCreatedJob: Handler<'notify-created'> = async (
  _input,
  { services: { db, jobs, secret, now }, log },
) => {
  const mails = await notifyCreated({ db, jobs, secret, now: now() });
  if (mails > 0) log.info({ mails }, 'customers told of their tokens');
  const reminders = await remindPayers(db, { jobs, secret }, now());
  if (reminders > 0) log.info({ reminders }, 'payers reminded of their summaries');
};
