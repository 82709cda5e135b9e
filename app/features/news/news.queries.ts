import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { itemsOf } from '#app/lib/api/pages.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { SEARCH_MAX, TIMING } from '#contract/limits.ts';

/** The large first card and ten rows of three; then ten rows at a time. */
const FIRST_PAGE = 31;
const MORE = 30;

const timing = {
  staleTime: TIMING.newsFresh,
  refetchOnWindowFocus: true,
} as const;

/** Search words of an address or a field in the server's format: any text is accepted, a long one is truncated. */
export const newsSearchTerms = (value: string | null): string =>
  (value ?? '')
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, SEARCH_MAX)
    .trim()
    .toWellFormed();

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
