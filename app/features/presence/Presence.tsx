import { lazy, Suspense } from 'react';

// Visitors never need it, and no page needs it for its first paint.
const Heartbeat = lazy(() => import('./Heartbeat.tsx'));

/** Says that a signed-in member has this page open. */
export const Presence = ({ memberId }: { memberId: string | undefined }) =>
  memberId ? (
    <Suspense>
      <Heartbeat key={memberId} />
    </Suspense>
  ) : null;
