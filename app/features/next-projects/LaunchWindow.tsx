import { lazy, type ReactNode, Suspense } from 'react';
import { useNow } from '#app/lib/live/clock.ts';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import type { Token } from '#contract/domains/tokens.ts';
import { launchWindowOf } from './launch-window.ts';

const LaunchWindowView = lazy(() => loadWithRetry(() => import('./LaunchWindowView.tsx')));

/** Only checks the clock until the last hour before a launch. */
export function LaunchWindow({ token, waiting }: { token: Token; waiting: ReactNode }) {
  const now = useNow(token.serverTime, 5_000);
  return launchWindowOf(token, now) ? (
    <Suspense>
      <LaunchWindowView token={token} waiting={waiting} />
    </Suspense>
  ) : null;
}
