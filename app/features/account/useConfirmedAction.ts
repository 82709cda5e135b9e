import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { isLost } from '#app/lib/api/lost-answer.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { isDismissed } from '#app/lib/session/passkey.ts';
import { useFailed, useRefresh } from './account.queries.ts';

/** Runs a change of the account; `busy` while one is in progress. */
export interface ConfirmedAction {
  /** @param work resolves to the title of the notice. */
  run: (work: () => Promise<string>) => void;
  busy: boolean;
}

/**
 * Runs changes of the account. When the server requires step-up, `proof` has the props of its form, and the same change runs
 * again afterwards; null while none is pending: it protects an unattended screen against changes by others.
 * @param onFailure replaces the usual notice of a failure; not that of a lost response.
 */
export function useConfirmedAction(onFailure?: (error: unknown) => void) {
  const refresh = useRefresh();
  const failed = useFailed();
  const [waiting, setWaiting] = useState<(() => void) | null>(null);
  const change = useMutation({ mutationFn: (work: () => Promise<string>) => work() });
  const run = (work: () => Promise<string>) => {
    if (change.isPending) return;
    change.mutate(work, {
      onSuccess: (title) => {
        notify.success({ title });
        return refresh();
      },
      onError: (error) => {
        if (codeOf(error) === 'STEP_UP_NEEDED') setWaiting(() => () => run(work));
        else if (isLost(error)) {
          // Some changes replace the session's token, and the lost response had it: the page then shows who is signed in.
          failed(error);
          void refresh();
        } else if (!isDismissed(error)) (onFailure ?? failed)(error);
      },
    });
  };
  const proof = waiting && {
    onDone: () => {
      setWaiting(null);
      waiting();
    },
    onCancel: () => setWaiting(null),
  };
  return { run, busy: change.isPending, proof };
}
