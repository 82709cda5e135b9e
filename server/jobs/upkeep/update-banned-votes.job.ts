import { updateVotesOfBanned } from '#server/domains/account/users/older-bans.service.ts';
import type { Handler } from '#server/jobs/handler.ts';

export const updateBannedVotes: Handler<'update-banned-votes'> = async (
  _input,
  { services: { db, fixedNow, now }, log },
) => {
  const members = await updateVotesOfBanned(db, fixedNow(), now());
  if (members > 0) log.info({ members }, 'votes of banned members updated');
};
