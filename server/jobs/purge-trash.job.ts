import { purgeTrash } from '#server/domains/admin/trash.service.ts';
import { purgeArchivedVotes } from '#server/domains/voting/manage-votes.service.ts';
import type { Handler } from './handler.ts';

/** What lay in the trash for 30 days goes for good. */
export const purgeTrashJob: Handler<'purge-trash'> = async (_input, { house, log }) => {
  const purged = {
    ...(await purgeTrash(house.db, house.now())),
    archivedVotes: await purgeArchivedVotes(house.db, house.now()),
  };
  if (Object.values(purged).some((count) => count > 0)) log.info({ purged }, 'trash purged');
};
