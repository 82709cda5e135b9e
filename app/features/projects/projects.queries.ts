import { retryTimes } from '#app/lib/api/query-client.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import type { ProjectOrder } from '#contract/domains/projects.ts';
import { TIMING } from '#contract/limits.ts';

/** Stale time and polling of home's lists. */
export const homeTiming = {
  staleTime: TIMING.homeFresh,
  refetchOnWindowFocus: false,
  refetchOnReconnect: true,
  refetchInterval: TIMING.homeRefresh,
  retry: retryTimes(1),
  retryDelay: TIMING.homeRetryDelay,
} as const;

export const podiumQuery = (api = rpc) => api.projects.podium.queryOptions(homeTiming);

export const projectsQuery = (order: ProjectOrder, api = rpc) =>
  api.projects.list.infiniteOptions({
    input: (cursor: string | null) => ({ order, cursor }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    ...homeTiming,
  });
