import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { storeOrderKey } from '#app/lib/session/order-keys.ts';
import { BLANK_STATE, type DraftState } from './draft-state.ts';
import { createDraftStore, type DraftStore } from './draft-store.ts';
import { isTouched } from './stored-draft.ts';

/** Maximum wait for a response, and for a lock of another tab. Milliseconds. */
const ANSWER_TIMEOUT_MS = 15_000;
const LOCK_TIMEOUT_MS = 5_000;

const soon = () => ({ signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });

/** Storage can be denied altogether; then the form lives as long as the page. */
function storageOfTab(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  try {
    return window.localStorage;
  } catch {
    const items = new Map<string, string>();
    return {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    };
  }
}

/** Web Locks serialize the tabs; they exist on https and localhost only, and a tab that hangs blocks nobody beyond the timeout. */
async function alone<T>(work: () => Promise<T>): Promise<T> {
  if (!navigator.locks) return work();
  let begun = false;
  try {
    return await navigator.locks.request('florka-draft', { signal: AbortSignal.timeout(LOCK_TIMEOUT_MS) }, () => {
      begun = true;
      return work();
    });
  } catch (error) {
    if (begun) throw error;
    return work();
  }
}

let ofTab: DraftStore | undefined;
/** The draft store of this tab; in the browser only. */
export function draftStore(): DraftStore {
  ofTab ??= createDraftStore({
    api: {
      create: (input) => client.tokenRequests.create(input, soon()),
      save: (input) => client.tokenRequests.save(input, soon()),
      read: (input) => client.tokenRequests.read(input, soon()),
    } as Parameters<typeof createDraftStore>[0]['api'],
    storage: storageOfTab(),
    alone,
    onOrder: storeOrderKey,
  });
  return ofTab;
}

/** The current state of the form; blank on the server and until hydration. */
export const useDraft = (): DraftState =>
  useSyncExternalStore(
    (listener) => draftStore().subscribe(listener),
    () => draftStore().get(),
    () => BLANK_STATE,
  );

/** Prefills the email of the signed-in member in an untouched form; the page's header loads the session. */
export function useOwnEmail(): void {
  const { data: me } = useQuery(rpc.auth.me.queryOptions({ enabled: false }));
  const { remote, data, prefilled } = useDraft();
  const touched = isTouched({ remote, data, prefilled });
  useEffect(() => {
    if (me !== undefined && !touched) draftStore().prefill(me?.email ?? null);
  }, [me, touched]);
}

/** Listens to other tabs, the network and visibility changes. */
export function useDraftEvents(): void {
  useEffect(() => {
    const store = draftStore();
    const onMessage = (event: StorageEvent) => store.onMessage(event.key);
    const hurry = () => store.hurry();
    const refresh = () => {
      if (document.visibilityState === 'visible') void store.refresh().catch(() => {});
    };
    refresh();
    window.addEventListener('storage', onMessage);
    window.addEventListener('online', hurry);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      window.removeEventListener('storage', onMessage);
      window.removeEventListener('online', hurry);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, []);
}
