// What is paid for a place in a block. Wei for each unit of gas.

/** What a transaction offers. Chains without a base fee know only a price. */
export type Fees =
  | { type: 'eip1559'; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  | { type: 'legacy'; gasPrice: bigint };

/** What the chain asks for now. */
export interface FeeMarket {
  /** Null on chains without. */
  baseFee: bigint | null;
  /** On top of the base fee, or the whole price where there is none. */
  tip: bigint;
}

/** A tip of nothing could never be raised by a share of it. */
const MIN_TIP = 1_000_000n;

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** What one unit of gas costs if it lands now. */
export const priceNow = ({ baseFee, tip }: FeeMarket): bigint => (baseFee ?? 0n) + most(tip, MIN_TIP);

/** What one unit of gas may cost at most. */
export const ceilingOf = (fees: Fees): bigint => (fees.type === 'legacy' ? fees.gasPrice : fees.maxFeePerGas);

/**
 * The offer of a first attempt: lands also when the base fee doubles, which takes six full blocks.
 *
 * @param limit never more than this, even if it then waits until fees fall.
 */
export function firstOffer(market: FeeMarket, limit: bigint): Fees {
  const tip = least(most(market.tip, MIN_TIP), limit);
  if (market.baseFee === null) return { type: 'legacy', gasPrice: tip };
  return { type: 'eip1559', maxFeePerGas: least(2n * market.baseFee + tip, limit), maxPriorityFeePerGas: tip };
}

/** An eighth more, as nodes ask for before they replace a transaction; rounded up. */
const raised = (fee: bigint): bigint => (fee * 9n + 7n) / 8n;

/** The offer that replaces another one: what is asked now, and at least an eighth more; null when that is above the limit. */
export function nextOffer(old: Fees, market: FeeMarket, limit: bigint): Fees | null {
  const now = firstOffer(market, limit);
  const offer: Fees =
    old.type === 'legacy'
      ? { type: 'legacy', gasPrice: most(raised(old.gasPrice), ceilingOf(now)) }
      : {
          type: 'eip1559',
          maxFeePerGas: most(raised(old.maxFeePerGas), ceilingOf(now)),
          maxPriorityFeePerGas: most(
            raised(old.maxPriorityFeePerGas),
            now.type === 'legacy' ? now.gasPrice : now.maxPriorityFeePerGas,
          ),
        };
  return ceilingOf(offer) > limit ? null : offer;
}

/** Whether an offer is so low that it would wait: below the base fee, or with less than half of the usual tip. */
export function tooLow(offer: Fees, market: FeeMarket): boolean {
  const base = market.baseFee ?? 0n;
  const pays = offer.type === 'legacy' ? offer.gasPrice : least(offer.maxFeePerGas, base + offer.maxPriorityFeePerGas);
  return pays < base + most(market.tip, MIN_TIP) / 2n;
}
