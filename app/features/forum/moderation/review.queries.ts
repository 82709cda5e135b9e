import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';

/** Between two looks at what waits. Milliseconds. */
const POLL_MS = 60_000;

export const myReviewQuery = () =>
  queryOptions({ ...rpc.forum.myReview.queryOptions(), staleTime: POLL_MS / 2, refetchInterval: POLL_MS });
export const reviewQueueQuery = () =>
  queryOptions({ ...rpc.forum.reviewQueue.queryOptions(), refetchInterval: POLL_MS });

/** A text of mine waits from now on, or no longer does. */
export const noteReview = (queries: QueryClient) => queries.invalidateQueries({ queryKey: rpc.forum.myReview.key() });
