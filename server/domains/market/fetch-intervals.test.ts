import { describe, expect, it } from 'vitest';
import { MARKET } from '#contract/limits.ts';
import { backoffMs, isStale, nextFetch } from './fetch-intervals.policy.ts';

const low = () => 0;
const high = () => 0.999_999;

describe('the interval of fetches', () => {
  it('is constant for known tokens, and doubles with each miss for unknown ones, up to a maximum', () => {
    expect(nextFetch('prices', 0, () => 0.5)).toBe(MARKET.every.prices * 1_000);
    const waits = [1, 2, 3, 4, 50].map((misses) => nextFetch('holders', misses, () => 0.5) / 1_000);
    expect(waits).toEqual([600, 1_200, 2_400, 4_800, 21_600]);
  });

  it('varies by a tenth, so that processes and tokens do not run in step', () => {
    expect(nextFetch('prices', 0, low)).toBe(MARKET.every.prices * 900);
    expect(nextFetch('prices', 0, high)).toBeCloseTo(MARKET.every.prices * 1_100, -2);
  });

  it('grows with each failure up to a maximum, and is never shorter than a Retry-After of the provider', () => {
    expect([1, 2, 3, 40].map((failures) => backoffMs(failures, null, () => 0.5) / 1_000)).toEqual([30, 60, 120, 1_800]);
    expect(backoffMs(1, 90_000, low)).toBe(90_000);
    expect(backoffMs(1, 90_000, high)).toBeGreaterThan(90_000);
    expect(backoffMs(5, 1_000, () => 0.5)).toBe(480_000);
    expect(backoffMs(1, 1e12, low)).toBe(MARKET.pause.retryAfter * 1_000);
  });

  it('makes a value stale at an age that depends on its source; demo values never are', () => {
    const now = new Date('2026-03-10T12:00:00Z');
    const earlier = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
    expect(isStale('dexscreener', earlier(MARKET.stale.dexscreener), now)).toBe(false);
    expect(isStale('dexscreener', earlier(MARKET.stale.dexscreener + 1), now)).toBe(true);
    expect(isStale('geckoterminal', earlier(MARKET.stale.dexscreener + 1), now)).toBe(false);
    expect(isStale('demo', earlier(1e9), now)).toBe(false);
  });

  it('keeps requests within the providers’ limits, even if those of two of our minutes fall into one of theirs', () => {
    expect(MARKET.perMinute.dexscreener * 2).toBeLessThanOrEqual(300);
    expect(MARKET.perMinute.geckoterminal * 2).toBeLessThanOrEqual(30);
  });
});
