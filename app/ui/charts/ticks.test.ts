import { describe, expect, it } from 'vitest';
import { linePath } from './line-path.ts';
import { roundTop, ticksOf } from './ticks.ts';

describe('ticks of an axis', () => {
  it.each([
    [0, 10, [0, 5, 10]],
    [0, 200, [0, 100, 200]],
    [0, 30, [0, 10, 20, 30]],
    [0, 1, [0, 1]],
    [0.0012, 0.0019, [0.0012, 0.0014, 0.0016, 0.0018]],
    [3, 3, []],
  ])('from %d to %d are %j', (low, high, expected) => {
    expect(ticksOf(low, high, 4, Number.isInteger(high))).toEqual(expected);
  });

  it('are two to four, and not above the maximum, for any maximum', () => {
    for (let i = 1; i < 2_000; i++) {
      const high = i ** 3 / 7;
      const ticks = ticksOf(0, high);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(4);
      expect(ticks.at(-1)).toBeLessThanOrEqual(high * (1 + 1e-9));
    }
  });

  it.each([
    [0, 1],
    [1, 1],
    [7, 8],
    [11, 15],
    [117, 150],
    [1_001, 1_500],
  ])('end at a round value: for %d at %d', (high, top) => {
    expect(roundTop(high, true)).toBe(top);
  });
});

describe('a line whose last day is not over', () => {
  it('has its last segment in a separate, dashed path', () => {
    expect(linePath([1, 2, 4, 0], 90, 100, 0, { top: 4, unfinished: true })).toMatchObject({
      line: 'M0 75L30 50L60 0',
      open: 'M60 0L90 100',
    });
    expect(linePath([1, 2, 4, 0], 90, 100, 0, { top: 4 }).open).toBe('');
  });

  it('is the dashed segment alone while there are only two points', () => {
    expect(linePath([4, 1], 90, 100, 0, { unfinished: true })).toMatchObject({ line: '', open: 'M0 0L90 75' });
  });
});
