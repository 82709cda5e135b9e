import { loadWhole, staleSince } from './stale.ts';

const FOLLOW = { capture: true } as const;

/**
 * Lets the service worker keep the pages that this tab shows, so that they can be read without a connection. It starts when
 * the page has nothing else to do.
 *
 * @returns stops following links.
 */
export function startOffline(): () => void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return () => {};
  const idle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 2_000));
  // Refused in private windows of some browsers: the site is the same without.
  idle(() => void navigator.serviceWorker.register('/sw.js').catch(() => {}));
  addEventListener('click', loadWholeWithoutConnection, FOLLOW);
  return () => removeEventListener('click', loadWholeWithoutConnection, FOLLOW);
}

/** Tells the worker which page is shown now: those opened inside the app come without a document. */
export function pageSeen(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!import.meta.env.PROD || connection?.saveData || staleSince()) return;
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage({ seen: location.href }));
}

/** The code of another page may not be here, and its data are not: the worker has a document, or says what is the matter. */
function loadWholeWithoutConnection(event: MouseEvent): void {
  const away = !navigator.onLine || document.documentElement.dataset['live'] === 'off';
  if (away && navigator.serviceWorker.controller) loadWhole(event);
}
