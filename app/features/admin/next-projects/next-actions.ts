import { useQueryClient } from '@tanstack/react-query';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { TIMING } from '#contract/limits.ts';
import { useTrashActions } from '../kit/records/useTrashActions.ts';
import { useRecordFailure } from '../projects/failures.ts';

/** Refetches the queries that show NEXT projects: the list at once, the public lists a moment later (AMB-201). */
export function useNextRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    setTimeout(() => {
      for (const shown of [rpc.nextProjects, rpc.tokens]) void queries.invalidateQueries({ queryKey: shown.key() });
    }, TIMING.publicRefreshDelay);
    await queries.invalidateQueries({ queryKey: rpc.admin.nextProjects.key() });
  };
}

/** One-click actions; each shows a notice with its outcome and refetches the list. */
export function useNextActions() {
  const messages = useText(adminProjectsTexts).projects;
  const failure = useRecordFailure('next');
  const refresh = useNextRefresh();
  return useTrashActions({
    remove: (record) => client.admin.nextProjects.remove(record),
    restore: (record, resemblanceAccepted) => client.admin.nextProjects.restore({ ...record, resemblanceAccepted }),
    notices: {
      remove: { done: messages.done.delete, failed: failure('delete') },
      restore: { done: messages.done.restore, failed: failure('restore') },
    },
    refresh,
  });
}
