import { rpc } from '#app/lib/api/rpc.ts';
import type { ExploreFilter, ExploreOrder } from '#contract/domains/tokens.ts';
import { EXPLORE_ORDERS } from '#contract/explore.ts';
import { NETWORKS } from '#contract/networks.ts';

const KINDS = ['project', 'candidate', 'next'] as const;

/** The filter of an address; invalid values are omitted. */
export function filterOf(parameters: URLSearchParams): ExploreFilter {
  const one = <const T extends string>(name: string, values: readonly T[]): T | undefined =>
    values.find((value) => value === parameters.get(name));
  const kind = one('kind', KINDS) ?? 'project';
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

/** The path of a list, without its language; `over` changes one parameter, undefined removes it. */
export function explorePath(
  filter: ExploreFilter,
  over: Partial<ExploreFilter> = {},
  comparing?: string | null,
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filter, ...over }))
    if (value !== undefined && value !== 'project') parameters.set(name, value);
  if (comparing) parameters.set('with', comparing);
  return parameters.size > 0 ? `/tokens?${parameters}` : '/tokens';
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
