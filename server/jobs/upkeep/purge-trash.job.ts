import type { TrashedKind } from '#contract/admin/shared/audit-actions.ts';
import { COMMENT_TRASH, POST_TRASH } from '#server/domains/forum/removals.service.ts';
import { purgeImages } from '#server/domains/media/trash.service.ts';
import { NETWORK_TRASH } from '#server/domains/networks/manage.service.ts';
import { NEWS_TRASH } from '#server/domains/news/manage.service.ts';
import { NEXT_PROJECT_TRASH } from '#server/domains/next-projects/manage.service.ts';
import { PROJECT_TRASH } from '#server/domains/projects/manage.service.ts';
import { CANDIDATE_TRASH } from '#server/domains/voting/manage.service.ts';
import { purgeArchivedVotes } from '#server/domains/voting/manage-votes.service.ts';
import type { Handler } from '#server/jobs/handler.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { purgeTrash, type Trash } from '#server/records/trash.ts';

/** Every kind of record with a trash, in the order of deletion. */
export const TRASH: Readonly<Record<TrashedKind, Trash>> = {
  project: PROJECT_TRASH,
  next_project: NEXT_PROJECT_TRASH,
  news: NEWS_TRASH,
  candidate: CANDIDATE_TRASH,
  network: NETWORK_TRASH,
  // Before posts: a post whose comments were deleted can be deleted as well.
  comment: COMMENT_TRASH,
  post: POST_TRASH,
};

/** Deletes permanently what was in the trash for 30 days. */
export const purgeTrashJob: Handler<'purge-trash'> = async (_input, { services, log }) => {
  const purged: Record<string, number> = {};
  const parts = [
    async () => {
      Object.assign(purged, await purgeTrash({ db: services.db, images: services.media }, TRASH, services.now()));
    },
    async () => {
      purged['images'] = await purgeImages(services.db, services.now());
    },
    async () => {
      purged['archivedVotes'] = await purgeArchivedVotes(services.db, services.now());
    },
  ];
  try {
    await runEachSettled(parts, (part) => part());
  } finally {
    if (Object.values(purged).some((count) => count > 0)) log.info({ purged }, 'trash purged');
  }
};
