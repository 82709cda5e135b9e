import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { itemsOf } from '#app/lib/api/pages.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { TIMING } from '#contract/limits.ts';

/** The large first card and ten rows of three; then ten rows at a time. */
const FIRST_PAGE = 31;
const MORE = 30;

const timing = {
  staleTime: TIMING.newsFresh,
  refetchOnWindowFocus: true,
} as const;

/** The query string that preserves the search. */
export const newsQuery = (searchTerm: string): string =>
  searchTerm ? `?${new URLSearchParams({ q: searchTerm })}` : '';

export const newsListQuery = (searchTerm: string, api = rpc) =>
  api.news.list.infiniteOptions({
    input: (offset: number) => ({
      ...(searchTerm ? { q: searchTerm } : {}),
      offset,
      limit: offset === 0 ? FIRST_PAGE : MORE,
    }),
    initialPageParam: 0,
    getNextPageParam: (page, _pages, offset) =>
      page.items.length > 0 && offset + page.items.length < page.total ? offset + page.items.length : null,
    placeholderData: keepPreviousData,
    ...timing,
  });

export const newsItemQuery = (id: string, api = rpc) => api.news.byId.queryOptions({ input: { id }, ...timing });

/** The list with its loaded items. */
export function useNewsList(searchTerm: string) {
  const query = useInfiniteQuery(newsListQuery(searchTerm));
  return { ...query, items: itemsOf(query.data?.pages), total: query.data?.pages.at(-1)?.total ?? 0 };
}
