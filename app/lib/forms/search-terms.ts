import { SEARCH_MAX } from '#contract/limits.ts';

/** Search words of an address or a field in the server's format: any text is accepted, a long one is truncated. */
export const searchTermsOf = (value: string | null): string =>
  (value ?? '')
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, SEARCH_MAX)
    .trim()
    .toWellFormed();
