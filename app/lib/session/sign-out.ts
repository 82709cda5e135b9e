import { useMutation, useQueryClient } from '@tanstack/react-query';
import { failureText } from '../api/failure.ts';
import { IDEMPOTENT_RETRY } from '../api/lost-answer.ts';
import { rpc } from '../api/rpc.ts';
import { useText } from '../i18n/i18n.tsx';
import { notify } from '../notices/notify.ts';
import { personalCache } from './personal-cache.ts';

/**
 * Signs out: cancels the reads in flight for the member, and afterwards deletes the unsent forum drafts on this device.
 * @param texts of the toasts: signed out, failed. @param leave clears the member's cached data, and navigates to another page.
 */
export function useSignOut(
  texts: { done: Parameters<typeof notify.success>[0]; failed: string },
  leave: () => Promise<void>,
) {
  const text = useText();
  const queries = useQueryClient();
  return useMutation(
    rpc.auth.signOut.mutationOptions({
      ...IDEMPOTENT_RETRY,
      onMutate: () => personalCache()?.cancel(queries),
      onSettled: (_, error, __, over) => over?.(error !== null),
      onSuccess: async () => {
        await leave();
        void import('./drafts.ts').then(({ forgetDrafts }) => forgetDrafts());
        notify.success(texts.done);
      },
      onError: (error) => {
        notify.failed(error, { title: texts.failed, text: failureText(error, text) });
        // On failure it is unknown whether the sign-out happened.
        void queries.invalidateQueries({ queryKey: rpc.auth.me.key() });
      },
    }),
  );
}
