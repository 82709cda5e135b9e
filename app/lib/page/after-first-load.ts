import { startOffline } from '../live/offline.ts';
import { countViews } from './count-views.ts';

/** What a tab does besides its pages, from a few seconds after the first one on. */
export function start(): void {
  countViews();
  if ('serviceWorker' in navigator) startOffline();
}
