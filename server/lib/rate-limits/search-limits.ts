import { LIMITS } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { addressLimits, consumeRateLimits } from './rate-limit.ts';

/** What a search is counted by. */
interface Searcher {
  db: Reader;
  /** Empty for pages that the server makes itself: their search was counted before they were made. */
  address: string;
  viewer: () => Promise<Viewer | null>;
  now: () => Date;
}

/**
 * Counts one search: searches cost more than lists.
 *
 * @param kind `first` for the first page of what was found; `more` for the pages behind it, and for searches that run while
 *   somebody types.
 * @throws RATE_LIMITED
 */
export async function consumeSearchLimit(
  { db, address, viewer: who, now }: Searcher,
  kind: 'first' | 'more',
): Promise<void> {
  const viewer = await who();
  if (!viewer && !address) return;
  const name = kind === 'first' ? 'search' : 'search-more';
  const limit = viewer || kind === 'more' ? LIMITS.searchAccountMinute : LIMITS.searchAddressMinute;
  await consumeRateLimits(
    db,
    viewer ? [{ key: `${name}:${viewer.id}`, limit }] : addressLimits(name, address, limit),
    now(),
  );
}

/** Counts a search that arrives as the address of a page, before the page is made. @throws RATE_LIMITED */
export const pageSearchLimit =
  (services: Pick<Searcher, 'db' | 'now'>) =>
  (address: string): Promise<void> =>
    consumeSearchLimit({ ...services, address, viewer: async () => null }, 'first');
