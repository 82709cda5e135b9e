import { retryTimes } from '#app/lib/query-client.ts';
import { rpc } from '#app/lib/rpc.ts';
import { HOME_PAGE, TIMING } from '#contract/limits.ts';

/** NEXT projects as the grid on home shows them. */
export const nextGridQuery = (api = rpc) =>
  api.nextProjects.list.infiniteOptions({
    input: (offset: number) => ({ offset, limit: HOME_PAGE }),
    initialPageParam: 0,
    getNextPageParam: (page, _pages, offset) =>
      offset + page.items.length < page.total ? offset + page.items.length : null,
    staleTime: TIMING.homeFresh,
    refetchOnWindowFocus: false,
    refetchOnReconnect: true,
    refetchInterval: TIMING.homeRefresh,
    retry: retryTimes(1),
    retryDelay: TIMING.homeRetryDelay,
  });
