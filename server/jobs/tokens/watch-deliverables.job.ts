import { watchDeliverables } from '#server/domains/deliverables/watch.service.ts';
import type { Handler } from '#server/jobs/handler.ts';

/** Updates that no user action triggers: older orders, tokens created by the signer, ended placements, missed dates. */
export const watchDeliverablesJob: Handler<'watch-deliverables'> = async (
  _input,
  { services: { db, jobs, secret, now }, log },
) => {
  const done = await watchDeliverables({ db, jobs, secret, now: now() });
  if (done.begun + done.made + done.ended + done.late > 0) log.info(done, 'deliverables updated');
};
