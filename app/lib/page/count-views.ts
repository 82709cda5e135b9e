import { PAGE_VIEWS, pageKind } from '#contract/page-views.ts';
import { PAGE_SHOWN } from '../live/stale.ts';

/**
 * Reports the kind of page to the server, now and at each navigation: no address, no person. A page in a hidden tab counts when it
 * becomes visible. Call once per tab.
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

/** True when this document was opened from outside the site: no reload, no back navigation, no internal link. */
function cameFromOutside(): boolean {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return load?.type === 'navigate' && !document.referrer.startsWith(`${location.origin}/`);
}
