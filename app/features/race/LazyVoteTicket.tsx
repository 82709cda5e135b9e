import { lazy, type ReactNode, Suspense } from 'react';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import type { VoteTicketProps } from './VoteTicket.tsx';

const VoteTicket = lazy(() => loadWithRetry(() => import('./VoteTicket.tsx')));

/** The ticket after a vote, loaded on demand. Its mark is there at once, so that the notice of the vote does not move when it arrives. */
export const lazyVoteTicket = (vote: VoteTicketProps): ReactNode => (
  <Suspense fallback={<i hidden className="torn-ticket" />}>
    <VoteTicket {...vote} />
  </Suspense>
);
