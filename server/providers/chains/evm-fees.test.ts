import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ceilingOf, type FeeMarket, type Fees, firstOffer, nextOffer, priceNow, tooLow } from './evm-fees.ts';

const GWEI = 10n ** 9n;
const wei = fc.bigInt({ min: 0n, max: 10_000n * GWEI });
const markets: fc.Arbitrary<FeeMarket> = fc.record({ baseFee: fc.option(wei), tip: wei });
const limits = fc.bigInt({ min: GWEI, max: 20_000n * GWEI });
/** The fee fields that nodes compare for a replacement transaction. */
const parts = (fees: Fees) =>
  fees.type === 'legacy' ? [fees.gasPrice] : [fees.maxFeePerGas, fees.maxPriorityFeePerGas];

describe('Fees on EVM chains', () => {
  test('an offer never exceeds the limit, tip included', () => {
    fc.assert(
      fc.property(markets, limits, (market, limit) => {
        const offer = firstOffer(market, limit);
        const [ceiling = 0n, tip = 0n] = parts(offer);
        expect(ceiling).toBe(ceilingOf(offer));
        expect(ceiling <= limit && tip <= ceiling && ceiling > 0n).toBe(true);
      }),
    );
  });

  test('a replacement is an eighth higher in each part and within the limit, or there is none', () => {
    fc.assert(
      fc.property(markets, markets, limits, (before, now, limit) => {
        const old = firstOffer(before, limit);
        const next = nextOffer(old, now, limit);
        if (!next) {
          const min = ceilingOf(firstOffer(now, limit));
          expect((ceilingOf(old) * 9n + 7n) / 8n > limit || min > limit).toBe(true);
          return;
        }
        expect(next.type).toBe(old.type);
        expect(ceilingOf(next) <= limit).toBe(true);
        for (const [i, part] of parts(next).entries()) expect(part * 8n >= (parts(old)[i] ?? 0n) * 9n).toBe(true);
        expect((parts(next)[1] ?? 0n) <= ceilingOf(next)).toBe(true);
      }),
    );
  });

  test('a current offer is not too low, unless the limit reduced it', () => {
    fc.assert(
      fc.property(markets, (market) => {
        expect(tooLow(firstOffer(market, 10n ** 30n), market)).toBe(false);
      }),
    );
    const market = { baseFee: 10n * GWEI, tip: GWEI };
    expect(tooLow(firstOffer(market, 10n * GWEI), market)).toBe(true);
  });

  test.each([
    // Base fee, usual tip, and whether it is too low: above the offered ceiling, or with a tip below half.
    [{ baseFee: 20n * GWEI, tip: 2n * GWEI }, false],
    [{ baseFee: 21n * GWEI, tip: 2n * GWEI }, false],
    [{ baseFee: 22n * GWEI, tip: 2n * GWEI }, true],
    [{ baseFee: 10n * GWEI, tip: 4n * GWEI }, false],
    [{ baseFee: 10n * GWEI, tip: 5n * GWEI }, true],
  ])('too low for a base fee of 10 gwei and a tip of 2: %o', (now, low) => {
    const offer = firstOffer({ baseFee: 10n * GWEI, tip: 2n * GWEI }, 200n * GWEI);
    expect(offer).toEqual({ type: 'eip1559', maxFeePerGas: 22n * GWEI, maxPriorityFeePerGas: 2n * GWEI });
    expect(tooLow(offer, now)).toBe(low);
  });

  test('without a base fee an offer has one gas price, and a replacement a higher one', () => {
    const market = { baseFee: null, tip: 5n * GWEI };
    expect(priceNow(market)).toBe(5n * GWEI);
    const offer = firstOffer(market, 20n * GWEI);
    expect(offer).toEqual({ type: 'legacy', gasPrice: 5n * GWEI });
    expect(nextOffer(offer, market, 20n * GWEI)).toEqual({ type: 'legacy', gasPrice: 5_625_000_000n });
    expect(nextOffer(offer, { ...market, tip: 9n * GWEI }, 20n * GWEI)).toEqual({
      type: 'legacy',
      gasPrice: 9n * GWEI,
    });
    expect(nextOffer(offer, market, 5n * GWEI)).toBeNull();
  });
});
