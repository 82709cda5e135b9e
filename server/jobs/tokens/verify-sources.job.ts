import { verifySources } from '#server/domains/token-creation/sources.service.ts';
import type { Handler } from '#server/jobs/handler.ts';

export const verifySourcesJob: Handler<'verify-sources'> = async (_input, { services: { db, explorer, now }, log }) => {
  const done = await verifySources({ db, explorer, now: now() });
  if (done.polled > 0) log.info(done, 'contract sources submitted');
};
