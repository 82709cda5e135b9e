import { lazy, Suspense } from 'react';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import type { Me } from '#contract/domains/auth.ts';

// Visitors never need it.
const WaitingTexts = lazy(() => loadWithRetry(() => import('./WaitingTexts.tsx')));

/** A member's own texts that wait for a review; texts of staff never do. */
export const MyWaiting = ({ me }: { me: Me | null | undefined }) =>
  me?.role === 'user' ? (
    <Suspense>
      <WaitingTexts />
    </Suspense>
  ) : null;
