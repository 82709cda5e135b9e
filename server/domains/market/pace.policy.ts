import { MARKET } from '#contract/limits.ts';

export type FetchKind = keyof typeof MARKET.every;
export type Source = keyof typeof MARKET.perMinute;

/** From 0 up to but not including 1. */
type Chance = () => number;

/** A tenth more or less, so that what began together does not stay together. */
const about = (seconds: number, chance: Chance) => seconds * 1_000 * (0.9 + chance() * 0.2);
const doubled = (first: number, times: number, last: number) => Math.min(first * 2 ** Math.min(times, 30), last);

/**
 * Milliseconds until a token is asked about again.
 *
 * @param misses answers in a row that brought nothing, or failures; 0 after a good one.
 */
export const nextFetch = (ask: FetchKind, misses: number, chance: Chance): number =>
  about(misses === 0 ? MARKET.every[ask] : doubled(MARKET.unknown.first, misses - 1, MARKET.unknown.last[ask]), chance);

/**
 * Milliseconds for which a provider is left alone.
 *
 * @param failures in a row, this one included. @param wish what it asked for, in milliseconds; never shortened, but for nonsense.
 */
export function pauseOf(failures: number, retryAfter: number | null, chance: Chance): number {
  const own = about(doubled(MARKET.pause.first, failures - 1, MARKET.pause.last), chance);
  return retryAfter === null
    ? own
    : Math.max(own, Math.min(retryAfter, MARKET.pause.retryAfter * 1_000) * (1 + chance() * 0.1));
}

/** Whether the provider should have said something newer by now. */
export const isStale = (source: Source | 'demo', at: Date, now: Date): boolean =>
  source !== 'demo' && now.getTime() - at.getTime() > MARKET.stale[source] * 1_000;
