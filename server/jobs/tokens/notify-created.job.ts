import { notifyCreated } from '#server/domains/token-creation/notify.service.ts';
import { remindPayers } from '#server/domains/token-creation/proposals.service.ts';
import type { Handler } from '#server/jobs/handler.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';

/**
 * Tokens are created by another process, the signer: customers are notified within a minute. Also reminds payers of an
 * unanswered summary.
 */
export const notifyCreatedJob: Handler<'notify-created'> = async (
  _input,
  { services: { db, jobs, secret, now }, log },
) => {
  const created = async () => {
    const mails = await notifyCreated({ db, jobs, secret, now: now() });
    if (mails > 0) log.info({ mails }, 'customers notified of their tokens');
  };
  const waiting = async () => {
    const reminders = await remindPayers(db, { jobs, secret }, now());
    if (reminders > 0) log.info({ reminders }, 'payers reminded of their summaries');
  };
  await runEachSettled([created, waiting], (part) => part());
};
