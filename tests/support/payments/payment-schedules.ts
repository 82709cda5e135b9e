// Schedules of actions of payers, the provider and the network on a payment, for the tests of the money ledger.
import fc from 'fast-check';
import { fromFixedPoint } from '#server/lib/fixed-point.ts';
import type { Deposit, Outcome, ProviderStatus } from '#server/providers/payments/port.ts';

/** The provider writes eight digits; the ledger counts eighteen. */
export const SCALE = 10n ** 10n;
const text = (units: bigint) => fromFixedPoint(units * SCALE);

/** The final state of a deposit at the provider, and its earlier states. Amounts in 10^-8 of the coin. */
export interface Truth {
  id: string;
  kind: 'main' | 'second' | 'repeated' | 'wrong_asset' | 'stranger';
  coin: string;
  due: bigint;
  paid: bigint;
  status: ProviderStatus;
  outcome: { coin: string; amount: bigint } | null;
  seen: Deposit[];
}

const WAYS = [
  'full',
  'part',
  'topped_up',
  'over',
  'expired',
  'late',
  'dust',
  'vanished',
  'refunded',
  'part_refunded',
  'unknown',
] as const;

/** @param share of the due amount, in thousandths. */
function stepsOf(way: (typeof WAYS)[number], due: bigint, share: bigint): [ProviderStatus, bigint][] {
  const part = (due * share) / 1_000n + 1n < due ? (due * share) / 1_000n + 1n : due - 1n;
  const over = due + (due * share) / 1_000n + 1n;
  const whole: [ProviderStatus, bigint][] = [
    ['waiting', 0n],
    ['confirming', due],
    ['confirmed', due],
    ['sending', due],
    ['finished', due],
  ];
  switch (way) {
    case 'full':
      return whole;
    case 'part':
      return [
        ['waiting', 0n],
        ['confirming', part],
        ['partially_paid', part],
      ];
    case 'topped_up':
      return [
        ['waiting', 0n],
        ['partially_paid', part],
        ['finished', due],
      ];
    case 'over':
      return [
        ['waiting', 0n],
        ['confirming', over],
        ['finished', over],
      ];
    case 'expired':
      return [
        ['waiting', 0n],
        ['expired', 0n],
      ];
    case 'late':
      return [
        ['waiting', 0n],
        ['expired', 0n],
        ['confirming', due],
        ['finished', due],
      ];
    case 'dust':
      return [
        ['waiting', 0n],
        ['confirming', 1n],
        ['failed', 1n],
      ];
    // The chain dropped the transaction that had been seen.
    case 'vanished':
      return [
        ['waiting', 0n],
        ['confirming', due],
        ['failed', 0n],
      ];
    case 'refunded':
      return [...whole, ['refunded', due]];
    case 'part_refunded':
      return [
        ['waiting', 0n],
        ['partially_paid', part],
        ['refunded', part],
      ];
    case 'unknown':
      return [
        ['waiting', 0n],
        ['unknown', due],
        ['finished', due],
      ];
  }
}

export const schedule = fc.record({
  way: fc.constantFrom(...WAYS),
  kind: fc.constantFrom('main', 'second', 'repeated', 'wrong_asset', 'stranger'),
  due: fc.bigInt(2n, 10n ** 15n),
  share: fc.bigInt(0n, 999n),
  /** The provider's fee in thousandths; a coin of its own where it exchanges. */
  fee: fc.option(fc.bigInt(0n, 100n)),
  exchanged: fc.boolean(),
});

/** The provider's number of a deposit. */
export const depositId = (index: number): string => String(5_000_000_000 + index);

/** The order of a deposit, its price, and when its payer began, by the provider's clock. */
export interface Ordered {
  orderId: string;
  priceUsd: number;
  at: number;
  /** Index of the deposit that a repeated one, or one in another coin, follows. */
  parentId: string;
}

/** States of one deposit. @param index distinguishes deposits. */
export function truthOf(
  { way, kind, due, share, fee, exchanged }: typeof schedule extends fc.Arbitrary<infer P> ? P : never,
  index: number,
  { orderId, priceUsd, at, parentId }: Ordered,
): Truth {
  const id = depositId(index);
  const coin = kind === 'wrong_asset' ? 'bnbbsc' : 'eth';
  const steps = stepsOf(way, due, share);
  const [status, paid] = steps.at(-1) ?? ['waiting', 0n];
  const done = status === 'finished' || status === 'partially_paid';
  const amount = paid - (paid * (fee ?? 0n)) / 1_000n;
  const outcome = fee !== null && done && amount > 0n ? { coin: exchanged ? 'usdttrc20' : coin, amount } : null;
  const odd = kind === 'repeated' || kind === 'wrong_asset';
  const seen = steps.map(([step, came], i): Deposit => {
    const reported: Outcome | undefined =
      outcome && i === steps.length - 1
        ? { amount: text(outcome.amount), currency: outcome.coin, payinHash: null, payoutHash: null, fee: null }
        : undefined;
    return {
      paymentId: id,
      parentId: odd ? parentId : null,
      invoiceId: null,
      orderId: odd ? null : kind === 'stranger' ? 'FL-9999999999' : orderId,
      status: step,
      ...(step === 'unknown' ? { rawStatus: 'verifying' } : {}),
      priceAmount: priceUsd,
      priceCurrency: 'usd',
      payAddress: null,
      payAmount: Number(text(due)),
      payText: text(due),
      payCurrency: coin,
      actuallyPaid: Number(text(came)),
      paidText: text(came),
      updatedAt: at + (way === 'late' && i > 1 ? 20 * 86_400_000 : 1_000) + i,
      ...(reported ? { outcome: reported } : {}),
    };
  });
  return { id, kind, coin, due, paid, status, outcome, seen };
}

export const sumOf = <T>(items: readonly T[], value: (item: T) => bigint): bigint =>
  items.reduce((sum, item) => sum + value(item), 0n);

/** Deposits that the provider returned in the end. */
export const goneOf = (truths: readonly Truth[]): Truth[] => truths.filter(({ status }) => status === 'refunded');

/** Value of a valid deposit in cents, rounded down; 0 for every other one. */
export const worthOf = ({ kind, status, paid, due }: Truth, cents: bigint): bigint =>
  (kind === 'main' || kind === 'second') && ['finished', 'partially_paid', 'refunded'].includes(status)
    ? (cents * paid) / due
    : 0n;
