import { LIMITS } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { addressLimits, consumeRateLimits } from './rate-limit.ts';

/** Parameters that determine the counter of a search. */
interface Searcher {
  db: Reader;
  /** Empty for server-side rendering of pages: their search was counted before the rendering. */
  address: string;
  viewer: () => Promise<Viewer | null>;
  now: () => Date;
}

/**
 * Counts one search, by account or else by address; searches cost more than lists.
 *
 * @param kind `first` for the first page of results; `more` for the following pages, and for searches while typing.
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

/** Counts a search that is part of a page's URL, before the page is rendered. @throws RATE_LIMITED */
export const pageSearchLimit =
  (services: Pick<Searcher, 'db' | 'now'>) =>
  (address: string): Promise<void> =>
    consumeSearchLimit({ ...services, address, viewer: async () => null }, 'first');
