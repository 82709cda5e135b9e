import { lazy, type ReactNode, Suspense } from 'react';
import { useNow } from '#app/lib/live/clock.ts';
import { loadWithRetry } from '#app/lib/page/later.ts';
import type { Token } from '#contract/domains/tokens.ts';
import { gateOf } from './gate.ts';

const GateNight = lazy(() => loadWithRetry(() => import('./GateNight.tsx')));

/** Only checks the clock until the last hour before a launch. */
export function Gate({ token, waiting }: { token: Token; waiting: ReactNode }) {
  const now = useNow(token.serverTime, 5_000);
  return gateOf(token, now) ? (
    <Suspense>
      <GateNight token={token} waiting={waiting} />
    </Suspense>
  ) : null;
}
