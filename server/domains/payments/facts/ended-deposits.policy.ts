// Deposits that the provider ended, or whose time to pay is over, although money arrived.
import { PAYMENT_WATCH_DAYS, SMALLEST_SHARE } from '#contract/limits.ts';
import type { Deposit } from '#server/providers/payments/port.ts';

/** How long after the time to pay money may be on its way. Milliseconds. */
const MAX_UNDER_WAY = PAYMENT_WATCH_DAYS * 86_400_000;

/** True when too little arrived for the provider to credit it: the payer may start again. */
const isTooSmall = ({ actuallyPaid, payAmount }: Deposit) =>
  payAmount !== null && payAmount > 0 && (actuallyPaid ?? 0) < payAmount * SMALLEST_SHARE;

/**
 * True when the money of a deposit may never be credited, so that it needs a review. The caller checks that it has money.
 *
 * @param over the time to pay is over, and the provider answered completely since.
 */
export const isStranded = (deposit: Deposit, over: boolean): boolean =>
  !isTooSmall(deposit) &&
  (deposit.status === 'failed' || deposit.status === 'expired' || (deposit.status === 'waiting' && over));

/** True when a deposit ended, or waits, with so little money that it is no payment and needs no review. */
export const isLeftover = (deposit: Deposit): boolean =>
  isTooSmall(deposit) && (deposit.status === 'failed' || deposit.status === 'expired' || deposit.status === 'waiting');

/**
 * True when money of a deposit has been on its way for so long that it needs a review. The caller checks that it has money and is on its
 * way. The provider may still credit it, so the state of its order does not change.
 *
 * @param msAfterExpiry how long the time to pay was over at the last complete answer of the provider. Milliseconds.
 */
export const isStuck = (deposit: Deposit, msAfterExpiry: number): boolean =>
  !isTooSmall(deposit) && msAfterExpiry >= MAX_UNDER_WAY;
