import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';

/** Results stay unchanged while the user opens one and returns. Milliseconds. */
const STALE_MS = 60_000;
/** Number of suggestions of each kind. */
const SUGGESTIONS = 3;

/** The path of a search, which can be shared. */
export const searchPath = (terms: string): string =>
  terms ? `/search?${new URLSearchParams({ q: terms })}` : '/search';

export const resultsQuery = (terms: string, api = rpc) =>
  queryOptions({
    ...api.search.find.queryOptions({ input: { q: terms }, staleTime: STALE_MS }),
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
