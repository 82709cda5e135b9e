// Fees for the inclusion in a block. Wei per unit of gas.

/** The fee of a transaction. Chains without a base fee have a gas price only. */
export type Fees =
  | { type: 'eip1559'; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  | { type: 'legacy'; gasPrice: bigint };

/** Current fees of the chain. */
export interface FeeMarket {
  /** Null on chains without a base fee. */
  baseFee: bigint | null;
  /** Priority fee in addition to the base fee, or the whole price where there is no base fee. */
  tip: bigint;
}

/** A tip of zero could not be raised by a percentage. */
const MIN_TIP = 1_000_000n;

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Cost of one unit of gas if it is included now. */
export const priceNow = ({ baseFee, tip }: FeeMarket): bigint => (baseFee ?? 0n) + max(tip, MIN_TIP);

/** Maximum cost of one unit of gas. */
export const ceilingOf = (fees: Fees): bigint => (fees.type === 'legacy' ? fees.gasPrice : fees.maxFeePerGas);

/**
 * The fee of a first attempt: still included when the base fee doubles, which takes six full blocks.
 *
 * @param limit the maximum, even if the transaction then waits until fees fall.
 */
export function firstOffer(market: FeeMarket, limit: bigint): Fees {
  const tip = min(max(market.tip, MIN_TIP), limit);
  if (market.baseFee === null) return { type: 'legacy', gasPrice: tip };
  return { type: 'eip1559', maxFeePerGas: min(2n * market.baseFee + tip, limit), maxPriorityFeePerGas: tip };
}

/** Raised by one eighth, as nodes require for a replacement transaction; rounded up. */
const raised = (fee: bigint): bigint => (fee * 9n + 7n) / 8n;

/** The fee of a replacement: the current one, and at least one eighth more; null when that exceeds the limit. */
export function nextOffer(old: Fees, market: FeeMarket, limit: bigint): Fees | null {
  const now = firstOffer(market, limit);
  const offer: Fees =
    old.type === 'legacy'
      ? { type: 'legacy', gasPrice: max(raised(old.gasPrice), ceilingOf(now)) }
      : {
          type: 'eip1559',
          maxFeePerGas: max(raised(old.maxFeePerGas), ceilingOf(now)),
          maxPriorityFeePerGas: max(
            raised(old.maxPriorityFeePerGas),
            now.type === 'legacy' ? now.gasPrice : now.maxPriorityFeePerGas,
          ),
        };
  return ceilingOf(offer) > limit ? null : offer;
}

/** True when a fee is too low for a prompt inclusion: below the base fee, or with less than half of the usual tip. */
export function tooLow(offer: Fees, market: FeeMarket): boolean {
  const base = market.baseFee ?? 0n;
  const pays = offer.type === 'legacy' ? offer.gasPrice : min(offer.maxFeePerGas, base + offer.maxPriorityFeePerGas);
  return pays < base + max(market.tip, MIN_TIP) / 2n;
}
