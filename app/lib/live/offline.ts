import { loadWhole, PAGE_SHOWN, staleSince } from './stale.ts';

/** Lets the service worker cache the pages of this tab, so that they can be read offline. Call once per tab. */
export function startOffline(): void {
  // Refused in private windows of some browsers: the site works the same without it.
  navigator.serviceWorker.register('/sw.js').catch(() => {});
  addEventListener('click', loadWholeWithoutConnection, { capture: true });
  addEventListener(PAGE_SHOWN, announceSeen);
  announceSeen();
}

/** Informs the worker of the current page: those opened within the app are not loaded as documents. */
function announceSeen(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData || staleSince()) return;
  const seen = location.href;
  void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ seen }));
}

/** Offline, the code and data of another page may be missing: the worker has its document, or an explanation. */
function loadWholeWithoutConnection(event: MouseEvent): void {
  const away = !navigator.onLine || document.documentElement.dataset['live'] === 'off';
  if (away && navigator.serviceWorker.controller) loadWhole(event);
}
