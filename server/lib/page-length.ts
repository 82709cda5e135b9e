import { HOME_PAGE } from '#contract/limits.ts';

/**
 * Number of rows to read for a page of `limit`: two more, so that `pageLength` can decide whether another page follows.
 */
export const rowsToRead = (limit: number | undefined): number => (limit ?? HOME_PAGE) + 2;

/**
 * Number of rows on a page when `found` were read. Without `limit` a list has HOME_PAGE rows, or one more if only that
 * one row would remain for a second page.
 */
export const pageLength = (found: number, limit: number | undefined): number =>
  limit === undefined && found === HOME_PAGE + 1 ? found : Math.min(found, limit ?? HOME_PAGE);
