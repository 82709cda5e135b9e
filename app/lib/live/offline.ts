import { loadWhole, PAGE_SHOWN, staleSince } from './stale.ts';

/** Lets the service worker keep the pages that this tab shows, so that they can be read without a connection. Once a tab. */
export function startOffline(): void {
  // Refused in private windows of some browsers: the site is the same without.
  navigator.serviceWorker.register('/sw.js').catch(() => {});
  addEventListener('click', loadWholeWithoutConnection, { capture: true });
  addEventListener(PAGE_SHOWN, announceSeen);
  announceSeen();
}

/** Tells the worker which page is shown now: those opened inside the app come without a document. */
function announceSeen(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData || staleSince()) return;
  const seen = location.href;
  void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ seen }));
}

/** The code of another page may not be here, and its data are not: the worker has a document, or says what is the matter. */
function loadWholeWithoutConnection(event: MouseEvent): void {
  const away = !navigator.onLine || document.documentElement.dataset['live'] === 'off';
  if (away && navigator.serviceWorker.controller) loadWhole(event);
}
