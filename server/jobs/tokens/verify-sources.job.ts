import { verifySources } from '#server/domains/token-creation/sources.service.ts';
import type { Handler } from '#server/jobs/handler.ts';

/** Hands the source of contracts to the block explorer, and asks what became of it. */
export const verifySourcesJob: Handler<'verify-sources'> = async (_input, { services: { db, explorer, now }, log }) => {
  const done = await verifySources({ db, explorer, now: now() });
  if (done.polled > 0) log.info(done, 'sources of contracts');
};
