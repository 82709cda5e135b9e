import { loadFontsForNextTime } from '#app/ui/first-fonts.ts';
import { startOffline } from '../live/offline.ts';
import { PAGE_SHOWN } from '../live/stale.ts';
import { countViews } from './count-views.ts';

/** Background tasks of a tab, started a few seconds after the first page load. */
export function start(): void {
  countViews();
  loadFontsForNextTime((load) => addEventListener(PAGE_SHOWN, load, { once: true }));
  if ('serviceWorker' in navigator) startOffline();
}
