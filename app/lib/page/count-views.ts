import { PAGE_VIEWS, pageKind } from '#contract/page-views.ts';
import { PAGE_SHOWN } from '../live/stale.ts';

/**
 * Tells the server what kind of page is shown, now and at each change of page: no address, no person. A page in a tab that
 * nobody sees counts when the tab is looked at. Once a tab.
 */
export function countViews(): void {
  let path: string | null = null;
  let arrived = cameFromOutside();
  const note = () => {
    if (document.visibilityState !== 'visible' || path === location.pathname) return;
    path = location.pathname;
    const kind = pageKind(path);
    if (kind) navigator.sendBeacon(`${PAGE_VIEWS}?kind=${kind}${arrived ? '&arrived=1' : ''}`);
    arrived = false;
  };
  addEventListener(PAGE_SHOWN, note);
  document.addEventListener('visibilitychange', note);
  note();
}

/** This document was opened, not reloaded or gone back to, and by no link of the site. */
function cameFromOutside(): boolean {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return load?.type === 'navigate' && !document.referrer.startsWith(`${location.origin}/`);
}
