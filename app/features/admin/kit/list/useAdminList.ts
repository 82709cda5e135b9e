import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { whole } from '#app/lib/format/format.ts';
import { useLocale } from '#app/lib/i18n/i18n.tsx';
import { LIST_PAGE, MANY_FOUND } from '#contract/limits.ts';
import { useAddress } from '../useAddress.ts';

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
  /** Sort key that the list begins with; the contract's first one, or it with '-'. */
  sort: string;
  /** Filters of this list and what they are at first; the contract must take each. */
  filters?: Record<string, string>;
  /** Milliseconds between two reads while the screen is open. */
  refetchInterval?: number;
  /** Milliseconds for which what was read counts as true; without it, it never does. */
  staleTime?: number;
}

export interface AdminList<Row> {
  /** Its name in /api/admin/<name>.csv. */
  name: string;
  rows: Row[] | undefined;
  total: number;
  /** The total as it reads, '1.000+' of a search that found more than it counts. */
  count: string;
  page: number;
  pages: number;
  sort: string;
  q: string;
  filter: Record<string, string>;
  /** Something other than everything is asked for. */
  narrowed: boolean;
  /** How many filters narrow it, the words aside. */
  narrowing: number;
  loading: boolean;
  /** Another page or filter is on its way; the old rows are still shown. */
  moving: boolean;
  error: unknown;
  refresh: () => void;
  /** Changes words, filters, order or page; everything but `page` starts at page 1 again. */
  set: (change: Record<string, string | number>) => void;
  clear: () => void;
  hrefOfPage: (page: number) => string;
  /** What is on screen, all pages of it, as a file. */
  csvHref: string;
}

/**
 * A list of the back office whose words, filters, order and page stand in the address, so that a link or the way back
 * shows the same. Reads one page from the server; with a new page the old one stays until the next is here.
 */
export function useAdminList<Row>({
  procedure,
  csv,
  sort,
  filters = {},
  refetchInterval,
  staleTime = 0,
}: Options<Row>): AdminList<Row> {
  const locale = useLocale();
  const { parameters, ...address } = useAddress();
  const defaults: Record<string, string> = { q: '', sort, ...filters };
  const requestedFilters = Object.fromEntries(
    Object.entries(defaults).map(([name, usual]) => [name, parameters.get(name) ?? usual]),
  ) as Record<string, string>;
  const page = Math.max(1, Number.parseInt(parameters.get('page') ?? '1', 10) || 1);
  const sent = Object.fromEntries(Object.entries(requestedFilters).filter(([, value]) => value !== ''));
  const input = { ...sent, page };
  const query = useQuery({
    queryKey: procedure.queryKey({ input }),
    queryFn: () => procedure.call(input),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
    staleTime,
    ...(refetchInterval ? { refetchInterval } : {}),
  });

  /** What is as usual stands in no address; page 1 is where everything else begins. */
  const unusual = (change: Record<string, string | number>) =>
    Object.fromEntries(
      Object.entries({ page: 1, ...change }).map(([name, value]) => [
        name,
        String(value) === (name === 'page' ? '1' : defaults[name]) ? null : value,
      ]),
    );
  const set = (change: Record<string, string | number>) => address.set(unusual(change));

  // A search counts no further.
  const more = requestedFilters['q'] !== '' && (query.data?.total ?? 0) > MANY_FOUND;
  const total = more ? MANY_FOUND : (query.data?.total ?? 0);
  return {
    name: csv,
    rows: query.data?.rows,
    total,
    count: whole(total, locale) + (more ? '+' : ''),
    page,
    pages: Math.max(1, Math.ceil(total / LIST_PAGE)),
    sort: requestedFilters['sort'] ?? sort,
    q: requestedFilters['q'] ?? '',
    filter: requestedFilters,
    narrowed: Object.entries(defaults).some(([name, usual]) => name !== 'sort' && requestedFilters[name] !== usual),
    narrowing: Object.entries(filters).filter(([name, usual]) => requestedFilters[name] !== usual).length,
    loading: query.isPending,
    moving: query.isPlaceholderData,
    error: query.isError && !query.data ? query.error : null,
    refresh: () => void query.refetch(),
    set,
    clear: () => set(Object.fromEntries(Object.entries(defaults).filter(([name]) => name !== 'sort'))),
    hrefOfPage: (page) => address.href(unusual({ page })),
    csvHref: `/api/admin/${csv}.csv?${new URLSearchParams(sent)}`,
  };
}
