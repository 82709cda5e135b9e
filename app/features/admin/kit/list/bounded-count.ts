import { integer, type Locale } from '#app/lib/format/format.ts';
import { MANY_FOUND } from '#contract/limits.ts';

/** A count that the server determines up to MANY_FOUND only, as text: a larger one is shown as that many and more. */
export const boundedCount = (count: number, locale: Locale): string =>
  count > MANY_FOUND ? `${integer(MANY_FOUND, locale)}+` : integer(count, locale);
