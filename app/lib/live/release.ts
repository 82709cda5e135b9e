import { useSyncExternalStore } from 'react';
import { PART_MISSING } from '../page/lazy-loading.ts';

/** Why a page of an earlier release did not reload automatically: input would be lost, or a reload did not help. */
export type OldRelease = 'typed' | 'again';

let state: OldRelease | null = null;
const listeners = new Set<() => void>();

/** Set on a page that misses a part which the server no longer has, and that was not reloaded. */
export const useOldRelease = (): OldRelease | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
    () => null,
  );

/** Marks forms whose input is restored after a reload. */
export const RESTORED = { 'data-restored': '' };

/**
 * Reloads a page of an earlier release, once, when it misses a part that the server no longer has. When that would lose input,
 * or did not help, `useOldRelease` returns the reason. Also stores what `resumeNavigation` needs.
 * @returns a function that stops it.
 */
export function leaveOldRelease(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const typed = new Set<EventTarget>();
  let checking = false;
  addEventListener('pagehide', storeDestination, { signal });
  addEventListener('input', ({ target }) => target && typed.add(target), { capture: true, signal });
  addEventListener(
    PART_MISSING,
    async () => {
      if (checking || state) return;
      checking = true;
      const replaced = await replacedRelease();
      checking = false;
      if (replaced === null || signal.aborted) return;
      if ([...typed].some(wouldBeLost)) showRelease('typed');
      else if (remember(replaced)) location.reload();
      else showRelease('again');
    },
    { signal },
  );
  return () => stop.abort();
}

function showRelease(why: OldRelease): void {
  state = why;
  for (const listener of listeners) listener();
}

const wouldBeLost = (field: EventTarget): boolean =>
  (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement) &&
  field.isConnected &&
  field.value !== '' &&
  !field.closest('[data-restored]');

/** Path of this release's manifest, when the server no longer has it: another release has replaced it. */
async function replacedRelease(): Promise<string | null> {
  const { url } = (globalThis as { __reactRouterManifest?: { url?: string } }).__reactRouterManifest ?? {};
  if (!url) return null;
  // HEAD, which a service worker never serves from its cache.
  return fetch(url, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => (status === 404 ? url : null),
    () => null,
  );
}

const RELOADED_FROM = 'florka-reloaded-from';

/**
 * Stores that this release was left. @returns false when it was left before, or when storage is not available: reloads could repeat
 * endlessly.
 */
function remember(release: string): boolean {
  try {
    if (sessionStorage.getItem(RELOADED_FROM) === release) return false;
    sessionStorage.setItem(RELOADED_FROM, release);
    return true;
  } catch {
    return false;
  }
}

const DESTINATION = 'florka-destination';

interface Router {
  state: { navigation: { location?: { pathname: string; search: string; hash: string } } };
}

/**
 * Stores the target of a pending navigation when the document unloads. When the code of the target page no longer exists on the
 * server, the router reloads the current document instead, and the clicked link is lost.
 */
function storeDestination(): void {
  const { location: to } =
    (globalThis as { __reactRouterDataRouter?: Router }).__reactRouterDataRouter?.state.navigation ?? {};
  try {
    if (to) sessionStorage.setItem(DESTINATION, to.pathname + to.search + to.hash);
  } catch {
    // Without it the user has to click the link again.
  }
}

/** Continues a navigation that a reload interrupted. @returns true when it does: this document is unloaded then. */
export function resumeNavigation(): boolean {
  try {
    const path = sessionStorage.getItem(DESTINATION);
    sessionStorage.removeItem(DESTINATION);
    const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const { pathname, search, hash } = location;
    if (path === null || load?.type !== 'reload' || path === pathname + search + hash) return false;
    location.replace(path);
    return true;
  } catch {
    return false;
  }
}
