import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { isDismissed } from '#app/lib/session/passkey.ts';
import { useFailed, useRefresh } from './account.queries.ts';

/** Runs a change of the account; `busy` while one is under way. */
export interface ConfirmedAction {
  /** @param work answers with the title of the notice. */
  run: (work: () => Promise<string>) => void;
  busy: boolean;
}

/**
 * Runs changes of the account. When the server wants a fresh proof, `proof` is what the form for it needs, and the same change runs
 * again afterwards; null while nothing waits: whoever found the screen open changes nothing with it.
 *
 * @param onFailure instead of the usual notice of a failure.
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
        else if (!isDismissed(error)) (onFailure ?? failed)(error);
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
