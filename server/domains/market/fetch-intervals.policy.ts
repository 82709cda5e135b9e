import { MARKET } from '#contract/limits.ts';

export type FetchKind = keyof typeof MARKET.every;
export type Source = keyof typeof MARKET.perMinute;

/** From 0 up to but not including 1. */
type Random = () => number;

/** Jitter of a tenth, so that fetches that start together spread out. */
const about = (seconds: number, random: Random) => seconds * 1_000 * (0.9 + random() * 0.2);
const doubled = (first: number, times: number, last: number) => Math.min(first * 2 ** Math.min(times, 30), last);

/**
 * Milliseconds until a token is fetched again.
 *
 * @param misses consecutive responses without data, or failures; 0 after a success.
 */
export const nextFetch = (kind: FetchKind, misses: number, random: Random): number =>
  about(
    misses === 0 ? MARKET.every[kind] : doubled(MARKET.unknown.first, misses - 1, MARKET.unknown.last[kind]),
    random,
  );

/**
 * Milliseconds for which calls to a provider are paused.
 *
 * @param failures consecutive ones, including this one. @param retryAfter the wait that the provider requested, in milliseconds; never
 *   shortened, except for implausible values.
 */
export function backoffMs(failures: number, retryAfter: number | null, random: Random): number {
  const own = about(doubled(MARKET.pause.first, failures - 1, MARKET.pause.last), random);
  return retryAfter === null
    ? own
    : Math.max(own, Math.min(retryAfter, MARKET.pause.retryAfter * 1_000) * (1 + random() * 0.1));
}

/** True when the provider should have delivered a newer value by now. */
export const isStale = (source: Source | 'demo', at: Date, now: Date): boolean =>
  source !== 'demo' && now.getTime() - at.getTime() > MARKET.stale[source] * 1_000;
