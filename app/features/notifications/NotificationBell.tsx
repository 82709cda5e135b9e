import { lazy, Suspense } from 'react';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';

// Loaded on demand: visitors never need it, and no page needs it for its first paint.
const Bell = lazy(() => loadWithRetry(() => import('./Bell.tsx')));

/** Number of a signed-in member's unread notifications, in the header. */
export const NotificationBell = ({ memberId }: { memberId: string | undefined }) =>
  memberId ? (
    <Suspense fallback={<span className="size-11 flex-none" />}>
      <Bell key={memberId} />
    </Suspense>
  ) : (
    <span className="hidden size-11 flex-none in-data-[member]:block" />
  );
