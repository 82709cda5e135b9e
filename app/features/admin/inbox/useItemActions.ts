import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiFailure, codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminInboxTexts } from '#app/lib/messages/admin/inbox.ts';
import { type Notice, notify } from '#app/lib/notices/notify.ts';
import type { InboxItem } from '#contract/admin/inbox.ts';
import type { BulkOutcome } from '#contract/admin/shared/bulk.ts';
import type { RemovalRule } from '#contract/domains/forum.ts';
import { useAdminFailure } from '../kit/failures.ts';
import { useUndo } from '../kit/notices.ts';
import { AUTHOR_DELETED } from './item-text.ts';

export type ItemActions = ReturnType<typeof useItemActions>;

/** Throws the refusal of a bulk action on one record, with the name of the colleague who is its reason. */
function throwRefused(results: readonly Pick<BulkOutcome, 'outcome' | 'code' | 'by'>[]): void {
  const refused = results.find(({ outcome }) => outcome === 'refused');
  if (refused) throw new ApiFailure(refused.code ?? 'UNEXPECTED', 409, { by: refused.by });
}

/** The actions on one item of the inbox; each shows a notice with its outcome and refetches the inbox. */
export function useItemActions(item: InboxItem) {
  const messages = useText(adminInboxTexts).inbox.toast;
  const failure = useAdminFailure();
  const queries = useQueryClient();
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: rpc.admin.inbox.key() }),
      queries.invalidateQueries({ queryKey: rpc.admin.dashboard.counts.key() }),
    ]);
  const undo = useUndo();
  const notifyOutcome = <Input>(
    done: (input: Input) => string,
    failed: string,
    more: (input: Input) => Pick<Notice, 'undo'> = () => ({}),
  ) => ({
    onSuccess: (_: unknown, input: Input) => {
      notify.success({ title: done(input), ...more(input) });
      return refresh();
    },
    onError: (error: unknown) => {
      const by = codeOf(error) === 'TAKEN' ? (error as { data?: { by?: string } }).data?.by : undefined;
      notify.failed(error, { title: failed, text: by ? messages.takenBy(by) : failure(error) });
      void refresh();
    },
  });
  const { source, id } = item;
  const what = item.details[0] === 'comment' ? 'comment' : 'post';
  // The undo of hiding: its reports are open again, and a text that a colleague changed since stays as it is.
  const show = useMutation({
    mutationFn: async () => {
      const { results } = await client.admin.forum.restore({ what, ids: [id], undo: true });
      throwRefused(results);
    },
    ...notifyOutcome<void>(() => messages.shown, messages.showFailed),
  });
  // Does not change an item that a colleague took since, and returns an item to the colleague who had it.
  const back = useMutation({
    mutationFn: async (action: 'undo_take' | 'undo_release') => {
      const { results } = await client.admin.inbox.changeMany({ action, items: [{ source, id }] });
      throwRefused(results);
    },
    ...notifyOutcome<'undo_take' | 'undo_release'>(
      (action) => (action === 'undo_take' ? messages.released : messages.returned),
      messages.undoFailed,
    ),
  });
  const take = useMutation({
    mutationFn: () => client.admin.inbox.take({ source, id }),
    ...notifyOutcome<void>(
      () => messages.taken,
      messages.takeFailed,
      () => undo(() => back.mutate('undo_take')),
    ),
  });
  const release = useMutation({
    mutationFn: () => client.admin.inbox.release({ source, id }),
    ...notifyOutcome<void>(
      () => messages.released,
      messages.releaseFailed,
      () => undo(() => back.mutate('undo_release')),
    ),
  });
  return {
    take,
    release,
    resolve: useMutation({
      mutationFn: (input: { decision: 'kept' | 'hidden'; rule?: RemovalRule; reason: string }) =>
        client.admin.inbox.resolveReport({ id, ...input }),
      ...notifyOutcome<{ decision: 'kept' | 'hidden'; rule?: RemovalRule; reason: string }>(
        ({ decision }) => messages[item.details.includes(AUTHOR_DELETED) ? 'closed' : decision],
        messages.resolveFailed,
        ({ decision }) => (decision === 'hidden' ? undo(() => show.mutate()) : {}),
      ),
    }),
    settle: useMutation({
      mutationFn: (decision: 'retry' | 'discard') => client.admin.inbox.settleJob({ id, decision }),
      ...notifyOutcome<'retry' | 'discard'>(
        (decision) => (decision === 'retry' ? messages.retried : messages.discarded),
        messages.resolveFailed,
      ),
    }),
  };
}
