import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import type { AdminProject } from '#contract/admin/projects.ts';
import { TIMING } from '#contract/limits.ts';
import { notifyAndRefresh, useUndo } from '../kit/notices.ts';
import { useTrashActions } from '../kit/records/useTrashActions.ts';
import { useRecordFailure } from './failures.ts';

/** Refetches the queries that show projects: the list at once, the public lists a moment later (AMB-201). */
export function useProjectsRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    setTimeout(() => {
      for (const shown of [rpc.projects, rpc.tokens]) void queries.invalidateQueries({ queryKey: shown.key() });
    }, TIMING.publicRefreshDelay);
    await queries.invalidateQueries({ queryKey: rpc.admin.projects.key() });
  };
}

interface Top3Change {
  id: string;
  on: boolean;
  /** For an undo: the version that the change made. */
  undoOf?: number;
}

/** One-click actions; each shows a notice with its outcome and refetches the list. */
export function useProjectActions() {
  const messages = useText(adminProjectsTexts).projects;
  const failure = useRecordFailure('projects');
  const refresh = useProjectsRefresh();
  const withNotices = notifyAndRefresh(refresh);
  const undo = useUndo();
  const { remove, restore, question } = useTrashActions({
    remove: (record) => client.admin.projects.remove(record),
    restore: (record, resemblanceAccepted) => client.admin.projects.restore({ ...record, resemblanceAccepted }),
    notices: {
      remove: { done: messages.done.delete, failed: failure('delete') },
      restore: { done: messages.done.restore, failed: failure('restore') },
    },
    refresh,
  });
  const top3: UseMutationResult<AdminProject, unknown, Top3Change> = useMutation({
    mutationFn: (change: Top3Change) => client.admin.projects.setTop3(change),
    ...withNotices(
      ({ version }: AdminProject, { id, on }: Top3Change) => ({
        title: messages.done.top3,
        ...undo(() => top3.mutate({ id, on: !on, undoOf: version })),
      }),
      failure('top3'),
    ),
  });
  return { restore, top3, remove, question };
}
