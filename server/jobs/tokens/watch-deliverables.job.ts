import { watchDeliverables } from '#server/domains/deliverables/watch.service.ts';
import type { Handler } from '#server/jobs/handler.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';

/**
 * Updates that no user action triggers. First payments whose money the team sent back without a record of it in the payment get one, which
 * ends their deliverables. Then deliverables: of older orders, of tokens created by the signer, of ended placements, and missed dates.
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
