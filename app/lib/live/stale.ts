import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { TIMING } from '#contract/limits.ts';
import { client } from '../api/rpc.ts';

/** Dispatched by the app after each navigation. */
export const PAGE_SHOWN = 'florka-page-shown';

const listeners = new Set<() => void>();

/** Time of this document's data while the server can't read newer data: the server marks the document with it. */
export const staleSince = (): string | null => document.documentElement.dataset['stale'] ?? null;

/** @returns unsubscribes. */
export function onStale(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The same as a hook; null on the server, and for documents that are current. */
export const useStaleSince = (): string | null => useSyncExternalStore(onStale, staleSince, () => null);

/** Refetches all active queries of the page. @returns true when all succeeded. */
async function refreshed(queries: QueryClient): Promise<boolean> {
  const began = Date.now();
  try {
    // One cheap request first: many browsers retry, and the database has only just recovered.
    await client.networks.list();
  } catch {
    return false;
  }
  // Otherwise queries that wait for their own retry would delay this.
  await queries.cancelQueries({ type: 'active' });
  await queries.refetchQueries({ type: 'active' });
  return queries
    .getQueryCache()
    .findAll({ type: 'active' })
    .every((query) => query.isDisabled() || (query.state.status === 'success' && query.state.dataUpdatedAt >= began));
}

/**
 * While this document is a stale copy: links load full documents, because the server has copies of documents and not
 * of data; and it retries until all its data can be read; then it continues as a normal page, without a reload.
 * @returns a function that stops the retries.
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

/** Follows a link to another page of the site with a full document load, as browsers do without scripts. */
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
