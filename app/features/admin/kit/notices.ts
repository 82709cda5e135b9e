import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { type Notice, notify } from '#app/lib/notices/notify.ts';
import { Cancelled } from './failures.ts';

/**
 * Options of `useMutation` for a one-click action: shows a notice of the outcome and refetches the affected queries.
 * @param refresh refetches the lists, also after a failure: somebody else may have changed the record first.
 */
export const notifyAndRefresh =
  (refresh: () => Promise<unknown>) =>
  <Answer, Input = unknown>(
    done: Notice | ((answer: Answer, input: Input) => Notice),
    failed: (error: unknown) => Notice,
  ) => ({
    onSuccess: (answer: Answer, input: Input) => {
      notify.success(typeof done === 'function' ? done(answer, input) : done);
      return refresh();
    },
    onError: (error: unknown) => {
      // The step-up dialog was closed: nothing happened, and no notice is shown.
      if (error instanceof Cancelled) return;
      notify.failed(error, failed(error));
      void refresh();
    },
  });

/** A record in the version that the acting user saw. */
export interface SeenRecord {
  id: string;
  version: number;
}

/** The undo button of a notice: `undo(() => restore.mutate(row))`. */
export function useUndo(): (run: () => unknown) => Pick<Notice, 'undo'> {
  const { undo } = useText(adminTexts).admin.list;
  return (run) => ({ undo: { label: undo, run } });
}
