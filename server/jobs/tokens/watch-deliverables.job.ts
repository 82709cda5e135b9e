import { watchDeliverables } from '#server/domains/deliverables/watch.service.ts';
import type { Handler } from '#server/jobs/handler.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';

/**
 * Updates that no user action triggers: money that was sent back before that ended deliverables, older orders, tokens created by the
 * signer, ended placements, missed dates.
 */
export const watchDeliverablesJob: Handler<'watch-deliverables'> = async (
  _input,
  { services: { db, jobs, secret, now, payments }, log },
) => {
  // Missed dates come after it: nobody is notified of a late item whose money was returned.
  const returned = async () => {
    const ended = await payments.recordMissedReturns();
    if (ended > 0) log.info({ ended }, 'orders whose money was sent back ended');
  };
  const watched = async () => {
    const done = await watchDeliverables({ db, jobs, secret, now: now() });
    if (done.begun + done.made + done.ended + done.late > 0) log.info(done, 'deliverables updated');
  };
  await runEachSettled([returned, watched], (part) => part());
};
