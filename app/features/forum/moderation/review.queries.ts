import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';

/** Polling interval of the review queue. Milliseconds. */
const POLL_MS = 60_000;

export const myReviewQuery = () =>
  queryOptions({ ...rpc.forum.myReview.queryOptions(), staleTime: POLL_MS / 2, refetchInterval: POLL_MS });
export const reviewQueueQuery = () =>
  queryOptions({ ...rpc.forum.reviewQueue.queryOptions(), refetchInterval: POLL_MS });

/**
 * Refetches the member's own waiting texts after a change. A first read in flight is cancelled: invalidation alone would join it, and
 * its answer may be older than the change.
 */
export async function refetchMyReview(queries: QueryClient): Promise<void> {
  const queryKey = rpc.forum.myReview.key();
  await queries.cancelQueries({ queryKey });
  await queries.invalidateQueries({ queryKey });
}
