// What the money ledger says of an order, from what is known of its payment: decided here without any effect.
import { toFixedPoint } from '#server/lib/fixed-point.ts';
import type { Deposit, Outcome } from '#server/providers/payments/port.ts';
import {
  arrivedUnits,
  centsOf,
  depositsIn,
  isAccepted,
  isConfirmed,
  isFull,
  isShort,
  isSound,
  type Ledger,
  outcomeOf,
  type Terms,
} from './reduce.policy.ts';

/** One deposit of an order as the money ledger takes it. */
export interface CountedDeposit {
  deposit: Deposit;
  outcome: Outcome | null;
  /** US cents that it brought to the order; of money that went back, what it had brought. */
  cents: bigint;
}

/** Whether a deposit brought something, also when it went back since. */
export const hasArrived = (deposit: Deposit): boolean => arrivedUnits(deposit) > 0n;

/**
 * What the money ledger says of an order: whether its price is expected, what each deposit brought, and what the team let
 * go. Odd deposits are worth something only once they were accepted, at their own price.
 */
export function accountOf(
  ledger: Ledger,
  terms: Terms,
): { expected: boolean; deposits: CountedDeposit[]; short: bigint } {
  const { state } = outcomeOf(ledger, terms);
  const accepted = isAccepted(ledger);
  const price = BigInt(terms.priceUsd) * 100n;
  const ended = state === 'expired' || state === 'failed' || state === 'refunded';
  const expected = !ended && (ledger.supersededAt === null || isConfirmed(state));
  const deposits = depositsIn(ledger)
    .filter(hasArrived)
    .map((deposit) => {
      const sound = isSound(deposit, terms) && (isFull(deposit) || isShort(deposit) || deposit.status === 'refunded');
      const taken = accepted && ledger.accepted?.of.includes(deposit.paymentId) && deposit.priceCurrency === 'usd';
      const own = sound ? price : taken ? toFixedPoint(String(deposit.priceAmount), 2) : 0n;
      return { deposit, outcome: ledger.outcomes[deposit.paymentId] ?? null, cents: centsOf(deposit, own) };
    });
  const received = deposits.reduce((sum, { deposit, cents }) => sum + (deposit.status === 'refunded' ? 0n : cents), 0n);
  const short = accepted && expected && isConfirmed(state) && received < price ? price - received : 0n;
  return { expected, deposits, short };
}

/** What is here of a coin, in units of 10^-18, and its worth in US cents: without what the provider gave back. */
export const worthIn = (deposits: readonly CountedDeposit[], asset: string): { units: bigint; cents: bigint } =>
  deposits
    .filter(({ deposit }) => deposit.payCurrency?.toLowerCase() === asset && deposit.status !== 'refunded')
    .reduce((sum, { deposit, cents }) => ({ units: sum.units + arrivedUnits(deposit), cents: sum.cents + cents }), {
      units: 0n,
      cents: 0n,
    });
