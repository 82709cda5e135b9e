import { finishEndedBans } from '#server/domains/account/users/ended-bans.service.ts';
import type { Handler } from '#server/jobs/handler.ts';

export const finishBans: Handler<'finish-bans'> = async (_input, { services: { db, fixedNow, now }, log }) => {
  const finished = await finishEndedBans(db, fixedNow(), now());
  if (finished > 0) log.info({ finished }, 'bans ended');
};
