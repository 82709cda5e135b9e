import { watchDeliverables } from '#server/domains/deliverables/watch.service.ts';
import type { Handler } from '#server/jobs/handler.ts';

/** Begins, ends and tells what no act does: older orders, tokens of the signer, sold places that are over, dates that went by. */
export const watchDeliverablesJob: Handler<'watch-deliverables'> = async (
  _input,
  { services: { db, jobs, secret, now }, log },
) => {
  const done = await watchDeliverables({ db, jobs, secret, now: now() });
  if (done.begun + done.made + done.ended + done.late > 0) log.info(done, 'deliverables followed');
};
