import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { retryTimes } from '#app/lib/api/query-client.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { NEXT_PAGE, TIMING } from '#contract/limits.ts';

/** The same timing as for home's lists. */
const timing = {
  staleTime: TIMING.homeFresh,
  gcTime: import.meta.env.SSR ? Number.POSITIVE_INFINITY : TIMING.homeCache,
  refetchOnWindowFocus: false,
  refetchOnReconnect: true,
  refetchInterval: TIMING.homeRefresh,
  retry: retryTimes(1),
  retryDelay: TIMING.homeRetryDelay,
} as const;

/** NEXT projects as in home's grid. */
export const nextGridQuery = (api = rpc) =>
  api.nextProjects.list.infiniteOptions({
    input: (offset: number) => ({ offset }),
    initialPageParam: 0,
    getNextPageParam: (page, _pages, offset) =>
      offset + page.items.length < page.total ? offset + page.items.length : null,
    ...timing,
  });

/** Maximum offset of the server. */
const LAST_PAGE = Math.floor(100_000 / NEXT_PAGE);

/** The page number of an address; anything but a number is the first. */
export const nextPageOf = (value: string | null): number =>
  value && /^\d{1,9}$/.test(value) ? Math.min(Math.max(1, Number(value)), LAST_PAGE) : 1;

/** The path of a page, without its language. */
export const nextPagePath = (page: number): string => (page === 1 ? '/next' : `/next?page=${page}`);

export const nextPagesOf = (total: number): number => Math.max(1, Math.ceil(total / NEXT_PAGE));

export const nextPageQuery = (page: number, api = rpc) =>
  api.nextProjects.list.queryOptions({
    input: { offset: (page - 1) * NEXT_PAGE, limit: NEXT_PAGE },
    placeholderData: keepPreviousData,
    ...timing,
  });

/** A page of NEXT projects; a number beyond the end returns the last one. */
export function useNextPage(requestedPage: number) {
  const { data } = useQuery(nextPageQuery(requestedPage));
  const pages = data ? nextPagesOf(data.total) : requestedPage;
  const page = Math.min(requestedPage, pages);
  return { page, pages, ...useQuery(nextPageQuery(page)) };
}
