import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { type Notice, notify } from '#app/lib/notices/notify.ts';
import { Cancelled } from './failures.ts';

/**
 * What follows an act of one click, for `useMutation`: a notice of how it went, and what it changed is read again.
 *
 * @param refresh reads the lists again, also after a failure: somebody else may have been faster.
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
      // A closed question for a proof: nothing happened, and nothing is to be said.
      if (error instanceof Cancelled) return;
      notify.error(failed(error));
      void refresh();
    },
  });

/** A record as the one who acts on it saw it. */
export interface SeenRecord {
  id: string;
  version: number;
}

/** The button of a notice that takes back what it tells: `undo(() => restore.mutate(row))`. */
export function useUndo(): (run: () => unknown) => Pick<Notice, 'undo'> {
  const { undo } = useText(adminTexts).admin.list;
  return (run) => ({ undo: { label: undo, run } });
}
