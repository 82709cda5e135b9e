import { checkProofs } from '#server/domains/ownership/recheck.service.ts';
import type { Handler } from '#server/jobs/handler.ts';

/** Checks due proofs of verified creators, ends expired ones, and notifies those concerned. */
export const checkProofsJob: Handler<'check-proofs'> = async (_input, { services: { db, jobs, proofs, now }, log }) => {
  const done = await checkProofs({ db, jobs, checks: proofs, now: now() });
  if (done.ended + done.notified > 0) log.info(done, 'proofs of creators checked');
};
