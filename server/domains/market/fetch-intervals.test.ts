import { describe, expect, it } from 'vitest';
import { MARKET } from '#contract/limits.ts';
import { backoffMs, isStale, nextFetch } from './fetch-intervals.policy.ts';

const low = () => 0;
const high = () => 0.999_999;

describe('the intervals of fetches', () => {
  it('is regular for what is known, and slower and slower for what is not, up to an end', () => {
    expect(nextFetch('prices', 0, () => 0.5)).toBe(MARKET.every.prices * 1_000);
    const waits = [1, 2, 3, 4, 50].map((misses) => nextFetch('holders', misses, () => 0.5) / 1_000);
    expect(waits).toEqual([600, 1_200, 2_400, 4_800, 21_600]);
  });

  it('is spread by a tenth, so that processes and tokens drift apart', () => {
    expect(nextFetch('prices', 0, low)).toBe(MARKET.every.prices * 900);
    expect(nextFetch('prices', 0, high)).toBeCloseTo(MARKET.every.prices * 1_100, -2);
  });

  it('pauses longer with each failure, never shorter than the provider wishes, never for ever', () => {
    expect([1, 2, 3, 40].map((failures) => backoffMs(failures, null, () => 0.5) / 1_000)).toEqual([30, 60, 120, 1_800]);
    expect(backoffMs(1, 90_000, low)).toBe(90_000);
    expect(backoffMs(1, 90_000, high)).toBeGreaterThan(90_000);
    expect(backoffMs(5, 1_000, () => 0.5)).toBe(480_000);
    expect(backoffMs(1, 1e12, low)).toBe(MARKET.pause.retryAfter * 1_000);
  });

  it('calls a value out of date when several questions brought nothing newer; samples never', () => {
    const now = new Date('2026-03-10T12:00:00Z');
    const earlier = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
    expect(isStale('dexscreener', earlier(MARKET.stale.dexscreener), now)).toBe(false);
    expect(isStale('dexscreener', earlier(MARKET.stale.dexscreener + 1), now)).toBe(true);
    expect(isStale('geckoterminal', earlier(MARKET.stale.dexscreener + 1), now)).toBe(false);
    expect(isStale('demo', earlier(1e9), now)).toBe(false);
  });

  it('stays below what the providers allow even where two minutes meet', () => {
    expect(MARKET.perMinute.dexscreener * 2).toBeLessThanOrEqual(300);
    expect(MARKET.perMinute.geckoterminal * 2).toBeLessThanOrEqual(30);
  });
});
