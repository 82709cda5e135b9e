import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { TIMING } from '#contract/limits.ts';

const WAITS = (attempt: number) => Math.min(1_000 * 2 ** attempt, 30_000);

/** Errors that a retry cannot change: the request itself was refused. */
const isFinal = (error: unknown) => {
  const status = (error as { status?: unknown }).status;
  return typeof status === 'number' && status >= 400 && status < 500;
};

/** Retries up to `times`, but no refusals, and never on the server, where a page must not wait. */
export const retryTimes = (times: number) => (failures: number, error: unknown) =>
  !import.meta.env.SSR && failures < times && !isFinal(error);

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Without a network a mutation fails at once, instead of being paused.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: retryTimes(3),
        retryDelay: WAITS,
        // On the server a finite time would start a timer per query and retain every request's data that long.
        gcTime: import.meta.env.SSR ? Number.POSITIVE_INFINITY : TIMING.homeCache,
      },
    },
  });
}

let inBrowser: QueryClient | undefined;
/** One query client per browser tab; on the server a new one for each document. */
export function queryClient(): QueryClient {
  if (import.meta.env.SSR) return makeQueryClient();
  inBrowser ??= makeQueryClient();
  return inBrowser;
}

/** True when this key is cached and was read before `instant` (milliseconds). */
export function olderThan(client: QueryClient, key: QueryKey, instant: number): boolean {
  return client
    .getQueryCache()
    .findAll({ queryKey: key })
    .some((query) => query.state.dataUpdatedAt < instant);
}
