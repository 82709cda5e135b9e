import { HOME_PAGE } from '#contract/limits.ts';

/** Rows to read for a page of `limit`, so that `pageLength` knows what follows it. */
export const rowsToRead = (limit: number | undefined): number => (limit ?? HOME_PAGE) + 2;

/**
 * Rows of a page when `found` were read. Without a `limit` of its own a list shows as many as home does, and the last row
 * too where only that one would be left for another page.
 */
export const pageLength = (found: number, limit: number | undefined): number =>
  limit === undefined && found === HOME_PAGE + 1 ? found : Math.min(found, limit ?? HOME_PAGE);
