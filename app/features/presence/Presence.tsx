import { lazy, Suspense } from 'react';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';

// Loaded on demand: visitors never need it, and no page needs it for its first paint.
const Heartbeat = lazy(() => loadWithRetry(() => import('./Heartbeat.tsx')));

/** Reports that a signed-in member has this page open. */
export const Presence = ({ memberId }: { memberId: string | undefined }) =>
  memberId ? (
    <Suspense>
      <Heartbeat key={memberId} memberId={memberId} />
    </Suspense>
  ) : null;
