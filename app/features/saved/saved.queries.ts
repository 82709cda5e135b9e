import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { failureText } from '#app/lib/api/failure.ts';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { notify } from '#app/lib/notices/notify.ts';
import type { SavedRef } from '#contract/domains/saved.ts';
import { EMPTY, localRefs, subscribe, writeLocal } from './browser-list.ts';

const same = (a: SavedRef, b: SavedRef) => a.kind === b.kind && a.id === b.id;

/**
 * The saved tokens: of the browser for a visitor, of the account for a member.
 * @param signedIn undefined while it is loading.
 */
export function useSavedTokens(signedIn: boolean | undefined) {
  const queries = useQueryClient();
  const text = useText();
  const local = useSyncExternalStore(subscribe, localRefs, () => EMPTY);
  const key = rpc.saved.list.queryKey();
  const remote = useQuery(rpc.saved.list.queryOptions({ enabled: signedIn === true, staleTime: 60_000 }));
  const put = ({ kind, id }: SavedRef, saved: boolean) =>
    queries.setQueryData(key, (old) => {
      const others = (old ?? []).filter((ref) => !same(ref, { kind, id }));
      return saved ? [{ kind, id }, ...others] : others;
    });
  const change = useMutation(
    rpc.saved.set.mutationOptions({
      ...IDEMPOTENT_RETRY,
      onMutate: (ref) => {
        void queries.cancelQueries({ queryKey: key });
        put(ref, ref.saved);
      },
      onError: (error, ref) => {
        // Without a network the list cannot be read again.
        put(ref, !ref.saved);
        notify.failed(error, { title: text.toast.saveFailed, text: failureText(error, text) });
      },
      onSettled: () => {
        if (queries.isMutating({ mutationKey: rpc.saved.set.mutationKey() }) === 1)
          void queries.invalidateQueries({ queryKey: key });
      },
    }),
  );

  const refs = signedIn ? (remote.data ?? EMPTY) : local;
  return {
    refs,
    /** Number of tokens that a member saved while signed out and that are not in the account yet. */
    waiting: signedIn ? local.length : 0,
    failed: signedIn === true && remote.isError,
    retry: remote.refetch,
    ready: signedIn === false || remote.isSuccess,
    has: (ref: SavedRef) => refs.some((other) => same(other, ref)),
    set: (ref: SavedRef, saved: boolean) => {
      if (signedIn) change.mutate({ kind: ref.kind, id: ref.id, saved });
      else {
        const others = localRefs().filter((other) => !same(other, ref));
        writeLocal(saved ? [ref, ...others] : others);
      }
    },
  };
}
