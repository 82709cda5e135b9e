import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import type { AdminNextProject } from '#contract/admin/next-projects.ts';
import { TIMING } from '#contract/limits.ts';
import { notifyAndRefresh, useUndo } from '../kit/notices.ts';
import { useRecordFailure } from '../projects/failures.ts';

/** Reads again what shows NEXT projects: the list at once, the public lists a moment later (AMB-201). */
export function useNextRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    setTimeout(() => {
      for (const shown of [rpc.nextProjects, rpc.tokens]) void queries.invalidateQueries({ queryKey: shown.key() });
    }, TIMING.publicRefreshDelay);
    await queries.invalidateQueries({ queryKey: rpc.admin.nextProjects.key() });
  };
}

/** What is done with one click; each shows how it went and refetches the list again. */
export function useNextActions() {
  const messages = useText(adminProjectsTexts).projects;
  const failure = useRecordFailure('next');
  const refresh = useNextRefresh();
  const withNotices = notifyAndRefresh(refresh);
  const undo = useUndo();
  const restore = useMutation({
    mutationFn: ({ id }: Pick<AdminNextProject, 'id'>) => client.admin.nextProjects.restore({ id }),
    ...withNotices({ title: messages.done.restore }, failure('restore')),
  });
  return {
    restore,
    remove: useMutation({
      mutationFn: ({ id, version }: AdminNextProject) => client.admin.nextProjects.remove({ id, version }),
      ...withNotices(
        (_, { id }) => ({ title: messages.done.delete, ...undo(() => restore.mutate({ id })) }),
        failure('delete'),
      ),
    }),
  };
}
