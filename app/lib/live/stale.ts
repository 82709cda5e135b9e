import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { TIMING } from '#contract/limits.ts';
import { client } from '../api/rpc.ts';

/** Said by the app after each change of page. */
export const PAGE_SHOWN = 'florka-page-shown';

const listeners = new Set<() => void>();

/** When the data of this document were read, while the server can't read newer ones: it marks the document so. */
export const staleSince = (): string | null => document.documentElement.dataset['stale'] ?? null;

/** @returns stops listening. */
export function onStale(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The same for components; null on the server, and for documents that are as new as any. */
export const useStaleSince = (): string | null => useSyncExternalStore(onStale, staleSince, () => null);

/** Reads all that the page shows anew. @returns whether all of it could be read. */
async function refreshed(queries: QueryClient): Promise<boolean> {
  const began = Date.now();
  try {
    // One cheap question first: many browsers ask, and the database has just come back.
    await client.networks.list();
  } catch {
    return false;
  }
  // What still waits for another try of its own would otherwise be waited for.
  await queries.cancelQueries({ type: 'active' });
  await queries.refetchQueries({ type: 'active' });
  return queries
    .getQueryCache()
    .findAll({ type: 'active' })
    .every((query) => query.isDisabled() || (query.state.status === 'success' && query.state.dataUpdatedAt >= began));
}

/**
 * While this document is one of earlier: links load the next one whole, because the server has copies of documents and not
 * of data; and it asks until everything on it can be read, then it is a page like any other, without a new load.
 *
 * @returns stops asking.
 */
export function endStaleness(queries: QueryClient): () => void {
  if (!staleSince()) return () => {};
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    stop.abort();
    delete document.documentElement.dataset['stale'];
    for (const listener of listeners) listener();
  };
  const poll = async () => {
    const fresh = await refreshed(queries);
    if (stop.signal.aborted) return;
    if (fresh) end();
    else timer = setTimeout(() => void poll(), TIMING.staleRecheck);
  };
  void poll();
  addEventListener('click', loadWhole, { capture: true, signal: stop.signal });
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}

/** Follows a link to another page of the site with a whole document, as browsers do without scripts. */
export function loadWhole(event: MouseEvent): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.target || link.hasAttribute('download')) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || (to.pathname === location.pathname && to.hash)) return;
  event.preventDefault();
  event.stopPropagation();
  location.assign(to);
}
