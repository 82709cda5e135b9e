import { lazy, type ReactNode, Suspense } from 'react';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import type { VoteTicketProps } from './VoteTicket.tsx';

const VoteTicket = lazy(() => loadWithRetry(() => import('./VoteTicket.tsx')));

/** The ticket after a vote, loaded on demand. */
export const lazyVoteTicket = (vote: VoteTicketProps): ReactNode => (
  <Suspense>
    <VoteTicket {...vote} />
  </Suspense>
);
