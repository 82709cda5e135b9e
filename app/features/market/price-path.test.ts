import { describe, expect, it } from 'vitest';
import { pricePath } from './price-path.ts';

describe('the path of a price chart', () => {
  it('is scaled from the lowest to the highest price, not from zero', () => {
    const { line, low, high, dots } = pricePath([1, 1.5, 2]);
    expect([low, high]).toEqual([1, 2]);
    expect(line).toBe('M0 93.1L50 50L100 6.9');
    expect(dots).toEqual([]);
  });

  it('has a gap where no price was recorded, and a dot for a price between two gaps', () => {
    const { line, area, dots } = pricePath([1, 2, null, 1, null, 2, 1]);
    expect(line.match(/M/g)).toHaveLength(2);
    expect(area.match(/Z/g)).toHaveLength(2);
    expect(dots).toEqual([{ x: 50, y: 93.1 }]);
    expect(line).not.toMatch(/33\.33|NaN/);
  });

  it('is in the middle when the price is constant', () => {
    expect(pricePath([3, 3]).line).toBe('M0 50L100 50');
    expect(pricePath([3]).dots).toEqual([{ x: 50, y: 50 }]);
  });
});
