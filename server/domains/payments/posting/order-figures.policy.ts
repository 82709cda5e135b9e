// Computes the figures of an order in the money ledger from the known facts of its payment: pure functions without side effects.

import { hasCounted } from '#server/domains/payments/facts/credited.policy.ts';
import {
  acceptedCents,
  arrivedUnits,
  centsOf,
  depositsIn,
  isAccepted,
  isAtLeastPartPaid,
  isCovered,
  isFull,
  isShort,
  isSound,
  isUnderWayStatus,
  type KnownFacts,
  outcomeOf,
  type Terms,
} from '#server/domains/payments/facts/reduce.policy.ts';
import type { Deposit, Outcome } from '#server/providers/payments/port.ts';

/** One deposit of an order as the money ledger counts it. */
export interface CountedDeposit {
  deposit: Deposit;
  outcome: Outcome | null;
  /**
   * US cents that the deposit contributed to the order; for a returned deposit that matches its order and counted before, the amount
   * that it had contributed.
   */
  cents: bigint;
}

/**
 * Figures of an order for the money ledger: whether its price is still expected, the value of each deposit, and the amount that the
 * team waived. A deposit that does not match the order has a value only after it was accepted, at its own price. Deposits without money
 * are included: money that was announced and did not arrive may be posted.
 */
export function orderFigures(
  knownFacts: KnownFacts,
  terms: Terms,
): { expected: boolean; deposits: CountedDeposit[]; short: bigint } {
  const { state } = outcomeOf(knownFacts, terms);
  const accepted = isAccepted(knownFacts);
  const price = BigInt(terms.priceUsd) * 100n;
  const ended = state === 'expired' || state === 'failed' || state === 'refunded';
  const expected = !ended && (knownFacts.supersededAt === null || isAtLeastPartPaid(state));
  const deposits = depositsIn(knownFacts).map((deposit) => {
    const counted = hasCounted(knownFacts, deposit);
    const sound = isSound(deposit, terms) && (isFull(deposit) || isShort(deposit) || counted);
    const taken = isCovered(knownFacts, deposit, terms);
    const cents = sound ? centsOf(deposit, price) : taken ? acceptedCents(deposit) : 0n;
    return { deposit, outcome: knownFacts.outcomes[deposit.paymentId] ?? null, cents };
  });
  const received = deposits.reduce((sum, { deposit, cents }) => sum + (deposit.status === 'refunded' ? 0n : cents), 0n);
  const short = accepted && expected && isAtLeastPartPaid(state) && received < price ? price - received : 0n;
  return { expected, deposits, short };
}

/** Money of an order in one coin that is held now; deposits that the provider returned are excluded. */
export interface Worth {
  /** Units of 10^-18. */
  units: bigint;
  /** Its value in US cents. */
  cents: bigint;
  /** The part of the units that has no value until an acceptance: that of deposits that do not match the order. */
  unvalued: bigint;
}

/** The money of one coin among the deposits of an order. */
export const worthIn = (deposits: readonly CountedDeposit[], asset: string): Worth =>
  deposits
    .filter(({ deposit }) => deposit.payCurrency?.toLowerCase() === asset && deposit.status !== 'refunded')
    .reduce(
      (sum, { deposit, cents }) => ({
        units: sum.units + arrivedUnits(deposit),
        cents: sum.cents + cents,
        unvalued: sum.unvalued + (cents === 0n && !isUnderWayStatus(deposit.status) ? arrivedUnits(deposit) : 0n),
      }),
      { units: 0n, cents: 0n, unvalued: 0n },
    );
