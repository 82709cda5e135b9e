import { rpc } from '#app/lib/api/rpc.ts';
import type { ExploreFilter, ExploreOrder } from '#contract/domains/tokens.ts';
import { EXPLORE_ORDERS } from '#contract/explore.ts';
import { NETWORKS } from '#contract/networks.ts';

/** Filters in the order in which an address has them: one list has one address. */
const FILTERS = ['network', 'contract', 'since', 'status', 'launch', 'order'] as const;
const KINDS = ['project', 'candidate', 'next'] as const;

/**
 * The page that shows a filtered list: `/tokens` has all three lists; on home, the vote and NEXT it takes the place of what the page shows
 * unfiltered.
 */
export type FilteredPage = '/tokens' | '/' | '/vote' | '/next';

/** The list that a page filters, by its address. */
export function kindOf(page: FilteredPage, parameters: URLSearchParams): ExploreFilter['kind'] {
  if (page === '/vote') return 'candidate';
  if (page === '/next') return 'next';
  if (page === '/') return parameters.get('tab') === 'next' ? 'next' : 'project';
  return KINDS.find((kind) => kind === parameters.get('kind')) ?? 'project';
}

/** The filter of an address; invalid values are omitted. */
export function filterOf(parameters: URLSearchParams, page: FilteredPage = '/tokens'): ExploreFilter {
  const one = <const T extends string>(name: string, values: readonly T[]): T | undefined =>
    values.find((value) => value === parameters.get(name));
  const kind = kindOf(page, parameters);
  const filters = {
    network: one('network', NETWORKS),
    contract: one('contract', ['yes']),
    since: one('since', ['month']),
    order: one<ExploreOrder>('order', EXPLORE_ORDERS[kind].slice(1)),
    ...(kind === 'next' ? { status: one('status', ['published', 'launched']), launch: one('launch', ['week']) } : {}),
  };
  const set = Object.entries(filters).filter(([, value]) => value !== undefined);
  return { kind, ...Object.fromEntries(set) } as ExploreFilter;
}

interface ExplorePath {
  page?: FilteredPage;
  /** Changes to the filter; undefined removes one. */
  over?: Partial<ExploreFilter>;
  /** The token that is to be compared with one of the list. */
  comparing?: string | null;
}

/** The path of a filtered list, without its language. */
export function explorePath(
  filter: ExploreFilter,
  { page = '/tokens', over = {}, comparing }: ExplorePath = {},
): string {
  const { kind, ...filters } = { ...filter, ...over };
  const parameters = new URLSearchParams();
  if (page === '/tokens') {
    if (kind !== 'project') parameters.set('kind', kind);
  } else {
    if (page === '/' && kind === 'next') parameters.set('tab', 'next');
    parameters.set('filters', 'on');
  }
  for (const name of FILTERS) {
    const value = filters[name];
    if (value !== undefined) parameters.set(name, value);
  }
  if (comparing) parameters.set('with', comparing);
  return parameters.size > 0 ? `${page}?${parameters}` : page;
}

export const exploreQuery = (filter: ExploreFilter, api = rpc) =>
  api.tokens.explore.infiniteOptions({
    input: (cursor: string | null) => ({ ...filter, cursor }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 30_000,
  });

/** Tokens that match these words, to choose from. */
export const choicesQuery = (q: string, api = rpc) => ({
  ...api.search.find.queryOptions({ input: { q, limit: 6 } }),
  enabled: q !== '',
  staleTime: 60_000,
});
