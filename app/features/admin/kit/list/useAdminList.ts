import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { integer } from '#app/lib/format/format.ts';
import { useLocale } from '#app/lib/i18n/i18n.tsx';
import { LIST_PAGE, LIST_PAGES_MAX, MANY_FOUND } from '#contract/limits.ts';
import { useQueryParameters } from '../useQueryParameters.ts';

/** `rpc.admin.<list>.list` */
interface ListProcedure<Row> {
  // biome-ignore lint/suspicious/noExplicitAny: each list has an input of its own; the server checks it.
  call: (input: any) => Promise<{ rows: Row[]; total: number }>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  queryKey: (options: any) => QueryKey;
}

interface Options<Row> {
  procedure: ListProcedure<Row>;
  /** Name in /api/admin/<name>.csv. */
  csv: string;
  /** The list has a file for people: headings and names of codes in the page's language, amounts with decimals. */
  csvForPeople?: true;
  /** Initial sort key; the contract's first one, or it with '-'. */
  sort: string;
  /** Filters of this list with their initial values; the contract must accept each. */
  filters?: Record<string, string>;
  /** Polling interval while the screen is open. Milliseconds. */
  refetchInterval?: number;
  /** Milliseconds for which cached data is fresh; default: 0. */
  staleTime?: number;
}

export interface AdminList<Row> {
  /** Name in /api/admin/<name>.csv. */
  name: string;
  rows: Row[] | undefined;
  total: number;
  /** The formatted total; '1.000+' when a search found more than it counts. */
  count: string;
  page: number;
  pages: number;
  sort: string;
  q: string;
  filter: Record<string, string>;
  /** True when a search or filter is active. */
  narrowed: boolean;
  /** Number of active filters, without the search. */
  narrowing: number;
  loading: boolean;
  /** Another page or filter is loading; the previous rows are still shown. */
  moving: boolean;
  error: unknown;
  refresh: () => void;
  /** Changes search, filters, order or page; every change but of `page` returns to page 1. */
  set: (change: Record<string, string | number>) => void;
  clear: () => void;
  /** Back to the initial list: also without the order and the page. */
  reset: () => void;
  hrefOfPage: (page: number) => string;
  /** URL of the current list as CSV, with all pages. */
  csvHref: string;
  /** URL of these rows of the list as CSV. */
  csvHrefOf: (ids: readonly string[]) => string;
}

/**
 * A list of the back office whose search, filters, order and page are parameters of the address, so that a link or the back button
 * shows the same. Reads one page from the server; the previous page stays until the next one is loaded.
 */
export function useAdminList<Row>({
  procedure,
  csv,
  csvForPeople,
  sort,
  filters = {},
  refetchInterval,
  staleTime = 0,
}: Options<Row>): AdminList<Row> {
  const locale = useLocale();
  const { parameters, ...address } = useQueryParameters();
  const defaults: Record<string, string> = { q: '', sort, ...filters };
  const requestedFilters = Object.fromEntries(
    Object.entries(defaults).map(([name, defaultValue]) => [name, parameters.get(name) ?? defaultValue]),
  ) as Record<string, string>;
  const page = Math.min(LIST_PAGES_MAX, Math.max(1, Number.parseInt(parameters.get('page') ?? '1', 10) || 1));
  const sent = Object.fromEntries(Object.entries(requestedFilters).filter(([, value]) => value !== ''));
  const input = { ...sent, page };
  const inFile = csvForPeople ? { ...sent, headings: locale } : sent;
  const query = useQuery({
    queryKey: procedure.queryKey({ input }),
    queryFn: () => procedure.call(input),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
    staleTime,
    ...(refetchInterval ? { refetchInterval } : {}),
  });

  /** Default values are omitted from the address; page 1 is the default. */
  const unusual = (change: Record<string, string | number>) =>
    Object.fromEntries(
      Object.entries({ page: 1, ...change }).map(([name, value]) => [
        name,
        String(value) === (name === 'page' ? '1' : defaults[name]) ? null : value,
      ]),
    );
  const set = (change: Record<string, string | number>) => address.set(unusual(change));

  // A search does not count beyond its limit.
  const more = requestedFilters['q'] !== '' && (query.data?.total ?? 0) > MANY_FOUND;
  const total = more ? MANY_FOUND : (query.data?.total ?? 0);
  const pages = Math.max(1, Math.ceil(total / LIST_PAGE));
  // An old link, or the last rows of the last page left the list.
  const beyond = query.data !== undefined && !query.isPlaceholderData && page > pages;
  const toLastPage = useEffectEvent(() => set({ page: pages }));
  useEffect(() => {
    if (beyond) toLastPage();
  }, [beyond]);
  return {
    name: csv,
    rows: query.data?.rows,
    total,
    count: integer(total, locale) + (more ? '+' : ''),
    page,
    pages,
    sort: requestedFilters['sort'] ?? sort,
    q: requestedFilters['q'] ?? '',
    filter: requestedFilters,
    narrowed: Object.entries(defaults).some(
      ([name, defaultValue]) => name !== 'sort' && requestedFilters[name] !== defaultValue,
    ),
    narrowing: Object.entries(filters).filter(([name, defaultValue]) => requestedFilters[name] !== defaultValue).length,
    loading: query.isPending,
    moving: query.isPlaceholderData || beyond,
    error: query.isError && !query.data ? query.error : null,
    refresh: () => void query.refetch(),
    set,
    clear: () => set(Object.fromEntries(Object.entries(defaults).filter(([name]) => name !== 'sort'))),
    reset: () => set(defaults),
    hrefOfPage: (page) => address.href(unusual({ page })),
    csvHref: `/api/admin/${csv}.csv?${new URLSearchParams(inFile)}`,
    csvHrefOf: (ids) => `/api/admin/${csv}.csv?${new URLSearchParams({ ...inFile, only: ids.join(',') })}`,
  };
}
