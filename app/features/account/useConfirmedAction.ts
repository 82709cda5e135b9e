import { useMutation } from '@tanstack/react-query';
import { codeOf } from '#app/lib/api/failure.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { isDismissed } from '#app/lib/session/passkey.ts';
import { useFailed, useRefresh } from './account.queries.ts';

/**
 * Runs changes of the account; when the server wants a fresh proof, `ask` shows its form and runs the same again afterwards.
 *
 * @param say instead of the usual notice of a failure.
 */
export function useConfirmedAction(confirm: (again: () => void) => void, say?: (error: unknown) => void) {
  const refresh = useRefresh();
  const failed = useFailed();
  const change = useMutation({ mutationFn: (work: () => Promise<string>) => work() });
  const run = (work: () => Promise<string>) => {
    if (change.isPending) return;
    change.mutate(work, {
      onSuccess: (title) => {
        notify.success({ title });
        return refresh();
      },
      onError: (error) => {
        if (codeOf(error) === 'STEP_UP_NEEDED') confirm(() => run(work));
        else if (!isDismissed(error)) (say ?? failed)(error);
      },
    });
  };
  return { run, busy: change.isPending };
}
