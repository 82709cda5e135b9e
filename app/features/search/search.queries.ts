import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { SEARCH_MAX } from '#contract/limits.ts';

/** What was found stays as it is while somebody goes to a result and back. Milliseconds. */
const STALE_MS = 60_000;
/** Results of each kind while somebody types. */
const SUGGESTIONS = 3;

/** The words of an address or a box as the server takes them: any text is harmless, too long a one is cut. */
export const searchTermsOf = (value: string | null): string =>
  (value ?? '')
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, SEARCH_MAX)
    .trim()
    .toWellFormed();

/** The path of a search, which can be shared. */
export const searchPath = (terms: string): string =>
  terms ? `/search?${new URLSearchParams({ q: terms })}` : '/search';

export const resultsQuery = (terms: string, api = rpc) =>
  queryOptions({
    ...api.search.find.queryOptions({ input: { q: terms }, staleTime: STALE_MS }),
    enabled: terms !== '',
  });

/** What is shown while somebody types: less, and counted apart from the searches of pages. */
export const suggestionsQuery = (terms: string) =>
  queryOptions({
    ...rpc.search.find.queryOptions({
      input: { q: terms, limit: SUGGESTIONS, purpose: 'typing' },
      staleTime: STALE_MS,
    }),
    enabled: terms !== '',
    placeholderData: keepPreviousData,
  });
