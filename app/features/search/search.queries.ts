import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import type { SearchKind } from '#contract/domains/search.ts';
import { SEARCH_GROUP_MAX } from '#contract/limits.ts';

/** Results stay unchanged while the user opens one and returns. Milliseconds. */
const STALE_MS = 60_000;
/** Number of suggestions of each kind. */
const SUGGESTIONS = 3;

const KINDS = ['tokens', 'candidates', 'launches', 'people'] as const satisfies readonly SearchKind[];

/** One group of the results, and where its page begins. */
export interface GroupPage {
  kind: SearchKind;
  cursor?: string | undefined;
}

/** The path of a search, which can be shared. */
export const searchPath = (terms: string, page?: GroupPage): string =>
  terms
    ? `/search?${new URLSearchParams({ q: terms, ...(page && { kind: page.kind }), ...(page?.cursor && { after: page.cursor }) })}`
    : '/search';

/** The group that an address names; null for all of them. */
export function searchPageIn(parameters: URLSearchParams): GroupPage | null {
  const kind = KINDS.find((name) => name === parameters.get('kind'));
  return kind ? { kind, cursor: parameters.get('after')?.slice(0, 400) || undefined } : null;
}

export const resultsQuery = (terms: string, page: GroupPage | null, api = rpc) =>
  queryOptions({
    ...api.search.find.queryOptions({
      input: { q: terms, ...(page && { ...page, limit: SEARCH_GROUP_MAX }) },
      staleTime: STALE_MS,
    }),
    enabled: terms !== '',
  });

/** Suggestions while typing: fewer results, with a rate limit separate from the searches of pages. */
export const suggestionsQuery = (terms: string) =>
  queryOptions({
    ...rpc.search.find.queryOptions({
      input: { q: terms, limit: SUGGESTIONS, purpose: 'typing' },
      staleTime: STALE_MS,
    }),
    enabled: terms !== '',
    placeholderData: keepPreviousData,
  });
