import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { failureText } from '#app/lib/failure.ts';
import { useText } from '#app/lib/i18n.tsx';
import { notify } from '#app/lib/notify.ts';
import { rpc } from '#app/lib/rpc.ts';
import type { SavedRef } from '#contract/saved.ts';

const KEY = 'florka.saved';
const EMPTY: SavedRef[] = [];
const listeners = new Set<() => void>();
let memory: { raw: string | null; refs: SavedRef[] } = { raw: null, refs: EMPTY };

/** What this browser keeps for a visitor. Damaged or denied storage counts as empty. */
function localRefs(): SavedRef[] {
  let raw: string | null = null;
  try {
    raw = localStorage.getItem(KEY);
    // The same text gives the same array, as React's external stores need.
    if (raw !== memory.raw) memory = { raw, refs: raw ? (JSON.parse(raw) as SavedRef[]) : EMPTY };
  } catch {
    memory = { raw, refs: EMPTY };
  }
  return memory.refs;
}

function writeLocal(refs: SavedRef[]): void {
  try {
    if (refs.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(refs));
  } catch {
    memory = { raw: memory.raw, refs };
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

const same = (a: SavedRef, b: SavedRef) => a.kind === b.kind && a.id === b.id;

/**
 * The saved tokens of whoever is here: of the browser for a visitor, of the account for a member. What a visitor saved
 * goes to the account once somebody signs in.
 *
 * @param signedIn undefined while it is not known yet.
 */
export function useSaved(signedIn: boolean | undefined) {
  const queries = useQueryClient();
  const text = useText();
  const local = useSyncExternalStore(subscribe, localRefs, () => EMPTY);
  const key = rpc.saved.list.queryKey();
  const remote = useQuery(rpc.saved.list.queryOptions({ enabled: signedIn === true, staleTime: 60_000 }));
  const { mutate: merge, isPending: merging } = useMutation(
    rpc.saved.merge.mutationOptions({
      onSuccess: (refs) => {
        queries.setQueryData(key, refs);
        writeLocal([]);
      },
    }),
  );
  useEffect(() => {
    if (signedIn && local.length > 0) merge({ refs: local });
  }, [signedIn, local, merge]);

  const change = useMutation(
    rpc.saved.set.mutationOptions({
      onMutate: ({ kind, id, saved }) =>
        queries.setQueryData(key, (old) => {
          const others = (old ?? []).filter((ref) => !same(ref, { kind, id }));
          return saved ? [{ kind, id }, ...others] : others;
        }),
      onError: (error) => {
        void queries.invalidateQueries({ queryKey: key });
        notify.error({ title: text.toast.saveFailed, text: failureText(error, text) });
      },
    }),
  );

  const refs = signedIn ? (remote.data ?? EMPTY) : local;
  return {
    refs,
    failed: signedIn === true && remote.isError,
    retry: remote.refetch,
    ready: signedIn === false || remote.isSuccess,
    merging,
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
