import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import type { AdminNextProject } from '#contract/admin/next-projects.ts';
import { TIMING } from '#contract/limits.ts';
import { notifyAndRefresh, type SeenRecord, useUndo } from '../kit/notices.ts';
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
  const withNotices = notifyAndRefresh(refresh);
  const undo = useUndo();
  const remove: UseMutationResult<unknown, unknown, SeenRecord> = useMutation({
    mutationFn: ({ id, version }) => client.admin.nextProjects.remove({ id, version }),
    ...withNotices(
      (_, { id }: SeenRecord) => ({ title: messages.done.delete, ...undo(() => restore.mutate({ id })) }),
      failure('delete'),
    ),
  });
  const restore: UseMutationResult<AdminNextProject, unknown, { id: string }> = useMutation({
    mutationFn: ({ id }) => client.admin.nextProjects.restore({ id }),
    ...withNotices(
      (after: AdminNextProject) => ({ title: messages.done.restore, ...undo(() => remove.mutate(after)) }),
      failure('restore'),
    ),
  });
  return { restore, remove };
}
