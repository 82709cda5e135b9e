import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import type { AdminProject } from '#contract/admin/projects.ts';
import { TIMING } from '#contract/limits.ts';
import { notifyAndRefresh, useUndo } from '../kit/notices.ts';
import { type RecordAction, useRecordFailure } from './failures.ts';

/** Reads again what shows projects: the list at once, the public lists a moment later (AMB-201). */
export function useProjectsRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    setTimeout(() => {
      for (const shown of [rpc.projects, rpc.tokens]) void queries.invalidateQueries({ queryKey: shown.key() });
    }, TIMING.publicRefreshDelay);
    await queries.invalidateQueries({ queryKey: rpc.admin.projects.key() });
  };
}

/** What is done with one click; each shows how it went and refetches the list again. */
export function useProjectActions() {
  const messages = useText(adminProjectsTexts).projects;
  const failure = useRecordFailure('projects');
  const refresh = useProjectsRefresh();
  const withNotices = notifyAndRefresh(refresh);
  const undo = useUndo();
  const announcement = (action: Exclude<RecordAction, 'create' | 'update'>) =>
    withNotices({ title: messages.done[action] }, failure(action));
  const restore = useMutation({
    mutationFn: ({ id }: Pick<AdminProject, 'id'>) => client.admin.projects.restore({ id }),
    ...announcement('restore'),
  });
  const top3: UseMutationResult<AdminProject, unknown, { id: string; on: boolean }> = useMutation({
    mutationFn: ({ id, on }: { id: string; on: boolean }) => client.admin.projects.setTop3({ id, on }),
    ...withNotices(
      (_, { id, on }) => ({ title: messages.done.top3, ...undo(() => top3.mutate({ id, on: !on })) }),
      failure('top3'),
    ),
  });
  return {
    restore,
    top3,
    remove: useMutation({
      mutationFn: ({ id, version }: AdminProject) => client.admin.projects.remove({ id, version }),
      ...withNotices(
        (_, { id }) => ({ title: messages.done.delete, ...undo(() => restore.mutate({ id })) }),
        failure('delete'),
      ),
    }),
  };
}
