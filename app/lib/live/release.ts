import { useSyncExternalStore } from 'react';
import { PART_MISSING } from '../page/later.ts';

/** Why a page of an earlier release did not load itself anew: words would be lost, or it did already and is the same one. */
export type OldRelease = 'typed' | 'again';

let state: OldRelease | null = null;
const listeners = new Set<() => void>();

/** Set on a page that misses a part which the server does not have any more, and that stays as it is. */
export const useOldRelease = (): OldRelease | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
    () => null,
  );

/** Around forms whose words are there again after a load. */
export const RESTORED = { 'data-restored': '' };

/**
 * Loads a page anew that is of an earlier release, once, when it misses a part that the server does not have any more. Where that
 * would lose what somebody typed, or did not help, `useOldRelease` says so. What `resumeNavigation` needs is noted as well.
 *
 * @returns stops looking.
 */
export function leaveOldRelease(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const typed = new Set<EventTarget>();
  let asking = false;
  addEventListener('pagehide', noteDestination, { signal });
  addEventListener('input', ({ target }) => target && typed.add(target), { capture: true, signal });
  addEventListener(
    PART_MISSING,
    async () => {
      if (asking || state) return;
      asking = true;
      const replaced = await replacedRelease();
      asking = false;
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

/** The list of this release's files, when it is gone from the server: another release took its place. */
async function replacedRelease(): Promise<string | null> {
  const { url } = (globalThis as { __reactRouterManifest?: { url?: string } }).__reactRouterManifest ?? {};
  if (!url) return null;
  // HEAD, which no service worker answers from what it kept.
  return fetch(url, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => (status === 404 ? url : null),
    () => null,
  );
}

const RELOADED_FROM = 'florka-reloaded-from';

/** Notes that this release was left. @returns false when it was before, or where nothing can be noted: it could go on for ever. */
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
 * Notes, when a document ends, where its page was on its way to. Where the code of that page is gone from the server, the router
 * loads the document anew that is still on screen, and knows nothing more of the link that was pressed.
 */
function noteDestination(): void {
  const { location: to } =
    (globalThis as { __reactRouterDataRouter?: Router }).__reactRouterDataRouter?.state.navigation ?? {};
  try {
    if (to) sessionStorage.setItem(DESTINATION, to.pathname + to.search + to.hash);
  } catch {
    // Without it the link has to be pressed once more.
  }
}

/** Goes on to where a page was on its way to when it was loaded anew. @returns whether it does: this document ends then. */
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
