// What payers, the provider and the network between do, in ten thousand ways: the money ledger says what the provider's truth
// says, to the last unit.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  depositParts,
  difference,
  type Line,
  orderParts,
  type Part,
  refundPart,
} from '#server/domains/money/book.policy.ts';
import { accountOf, worthIn } from '#server/domains/payments/account.policy.ts';
import { EMPTY, outcomeOf, reduce, type Terms } from '#server/domains/payments/reduce.policy.ts';
import { fromFixedPoint } from '#server/lib/fixed-point.ts';
import type { Deposit, Outcome, ProviderStatus } from '#server/providers/payments/port.ts';

const TERMS: Terms = { orderId: 'FL-0000000001', priceUsd: 1_500, expiresAt: 7 * 86_400_000 };
const CENTS = BigInt(TERMS.priceUsd) * 100n;
/** The provider writes eight digits; the ledger counts eighteen. */
const SCALE = 10n ** 10n;
const text = (units: bigint) => fromFixedPoint(units * SCALE);

/** A deposit at the provider as it ends, and everything that it was on the way. Amounts in 10^-8 of the coin. */
interface Truth {
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
  'refunded',
  'part_refunded',
  'unknown',
] as const;

/** @param share of what is due, in thousandths. */
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

const plan = fc.record({
  way: fc.constantFrom(...WAYS),
  kind: fc.constantFrom('main', 'second', 'repeated', 'wrong_asset', 'stranger'),
  due: fc.bigInt(2n, 10n ** 15n),
  share: fc.bigInt(0n, 999n),
  /** What the provider keeps, in thousandths; a coin of its own where it exchanges. */
  fee: fc.option(fc.bigInt(0n, 100n)),
  exchanged: fc.boolean(),
});

function truthOf(
  { way, kind, due, share, fee, exchanged }: typeof plan extends fc.Arbitrary<infer P> ? P : never,
  index: number,
): Truth {
  const id = String(5_000_000_000 + index);
  const coin = kind === 'wrong_asset' ? 'bnbbsc' : 'eth';
  const steps = stepsOf(way, due, share);
  const [status, paid] = steps.at(-1) ?? ['waiting', 0n];
  const done = status === 'finished' || status === 'partially_paid';
  const amount = paid - (paid * (fee ?? 0n)) / 1_000n;
  const outcome = fee !== null && done && amount > 0n ? { coin: exchanged ? 'usdttrc20' : coin, amount } : null;
  const odd = kind === 'repeated' || kind === 'wrong_asset';
  const seen = steps.map(([step, came], i): Deposit => {
    const heard: Outcome | undefined =
      outcome && i === steps.length - 1
        ? { amount: text(outcome.amount), currency: outcome.coin, payinHash: null, payoutHash: null, fee: null }
        : undefined;
    return {
      paymentId: id,
      parentId: odd ? '4999999999' : null,
      invoiceId: null,
      orderId: odd ? null : kind === 'stranger' ? 'FL-9999999999' : TERMS.orderId,
      status: step,
      ...(step === 'unknown' ? { rawStatus: 'verifying' } : {}),
      priceAmount: TERMS.priceUsd,
      priceCurrency: 'usd',
      payAddress: null,
      payAmount: Number(text(due)),
      payText: text(due),
      payCurrency: coin,
      actuallyPaid: Number(text(came)),
      paidText: text(came),
      updatedAt: (way === 'late' && i > 1 ? 20 * 86_400_000 : 1_000) + i,
      ...(heard ? { outcome: heard } : {}),
    };
  });
  return { id, kind, coin, due, paid, status, outcome, seen };
}

/** The ledger as the database keeps it: only differences are entered, and nothing is taken away. */
function newBook() {
  const entered: { key: string; lines: Line[] }[] = [];
  return {
    enter(parts: Part[]) {
      for (const part of parts) {
        const key = `${part.kind} ${part.subject}`;
        const known = entered.filter((one) => one.key === key).flatMap(({ lines }) => lines);
        const lines = difference(part.lines, known);
        if (lines.length > 0) entered.push({ key, lines });
      }
    },
    entered,
    balance(account: string, asset: string): bigint {
      return entered
        .flatMap(({ lines }) => lines)
        .filter((line) => line.account === account && line.asset === asset)
        .reduce((sum, { amount }) => sum + amount, 0n);
    },
  };
}

const sumOf = <T>(items: readonly T[], value: (item: T) => bigint) =>
  items.reduce((sum, item) => sum + value(item), 0n);

describe('ten thousand payment schedules', () => {
  it('agree with the provider’s truth, and every unit is placed, unplaced or went back', () => {
    fc.assert(
      fc.property(
        fc.array(plan, { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.nat(1_000_000)),
        fc.option(fc.bigInt(1n, 1_000n)),
        fc.boolean(),
        (plans, chance, refundShare, placed) => {
          const truths = plans.map(truthOf);
          const next = () => chance.next().value ?? 0;
          // Lost, repeated, in any order; at the end the provider is asked, and answers as it is.
          const heard = truths
            .flatMap(({ seen }) => seen)
            .flatMap((deposit) => Array.from({ length: next() % 3 }, () => ({ deposit, at: next() })))
            .toSorted((a, b) => a.at - b.at)
            .map(({ deposit }) => deposit);
          const asked = truths.flatMap(({ seen }) => seen.slice(-1));
          const book = newBook();
          let ledger = EMPTY;
          book.enter(orderParts(TERMS.orderId, CENTS, accountOf(EMPTY, TERMS)));
          for (const deposit of [...heard, ...asked]) {
            const truth = truths.find(({ id }) => id === deposit.paymentId);
            if (truth?.kind === 'stranger' && !placed) {
              if (asked.includes(deposit))
                book.enter(depositParts(deposit, { outcome: deposit.outcome ?? null, cents: 0n, holder: 'unplaced' }));
              continue;
            }
            ledger = reduce(ledger, { type: 'seen', deposit }, TERMS);
            const { expected, deposits, short } = accountOf(ledger, TERMS);
            book.enter([
              ...orderParts(TERMS.orderId, CENTS, { expected, short }),
              ...deposits.flatMap(({ deposit: one, outcome, cents }) =>
                depositParts(one, { outcome, cents, holder: 'orders' }),
              ),
            ]);
          }
          // Each entry balances, so the whole does.
          for (const { lines } of book.entered)
            for (const asset of new Set(lines.map((line) => line.asset)))
              expect(
                sumOf(
                  lines.filter((line) => line.asset === asset),
                  ({ amount }) => amount,
                ),
              ).toBe(0n);

          const ours = truths.filter(({ kind }) => kind !== 'stranger' || placed);
          const strangers = truths.filter((one) => !ours.includes(one));
          const gone = (of: Truth[]) => of.filter(({ status }) => status === 'refunded');
          for (const coin of ['eth', 'bnbbsc']) {
            const of = (some: Truth[]) =>
              sumOf(
                some.filter((one) => one.coin === coin),
                ({ paid }) => paid,
              ) * SCALE;
            // Credits are negative: what we hold for somebody.
            expect(-book.balance('orders', coin)).toBe(of(ours) - of(gone(ours)));
            expect(-book.balance('unplaced', coin)).toBe(of(strangers) - of(gone(strangers)));
            const settled = truths.filter(({ outcome }) => outcome);
            expect(book.balance('provider', coin)).toBe(of(truths) - of(gone(truths)) - of(settled));
            const same = settled.filter(({ outcome }) => outcome?.coin === coin && coin !== 'usdttrc20');
            expect(book.balance('balance', coin)).toBe(sumOf(same, ({ outcome }) => outcome?.amount ?? 0n) * SCALE);
            expect(book.balance('fees', coin)).toBe(
              of(same.filter((one) => one.coin === coin)) - sumOf(same, ({ outcome }) => outcome?.amount ?? 0n) * SCALE,
            );
          }
          // Dollars: what the sound deposits are worth, each rounded down by itself.
          const worth = ({ kind, status, paid, due }: Truth) =>
            (kind === 'main' || kind === 'second') && ['finished', 'partially_paid', 'refunded'].includes(status)
              ? (CENTS * paid) / due
              : 0n;
          expect(book.balance('received', 'USD')).toBe(sumOf(ours, worth));
          expect(-book.balance('refunded', 'USD')).toBe(sumOf(gone(ours), worth));
          const outcome = outcomeOf(ledger, TERMS);
          expect(BigInt(Math.round(outcome.receivedUsd * 100))).toBe(
            book.balance('received', 'USD') + book.balance('refunded', 'USD'),
          );
          const owed = !['expired', 'failed', 'refunded'].includes(outcome.state);
          expect(-book.balance('sales', 'USD')).toBe(owed ? CENTS : 0n);

          // The team sends a part back: it leaves the orders, and no more dollars than came.
          const kept = -book.balance('orders', 'eth');
          if (refundShare === null || kept <= 0n) return;
          const of = worthIn(accountOf(ledger, TERMS).deposits, 'eth');
          const back = (kept * refundShare) / 1_000n;
          const before = { received: book.balance('received', 'USD') };
          const refund = {
            number: 'RF-1',
            sent: true,
            byProvider: false,
            asset: 'eth',
            amount: back,
            decimals: 18,
            transaction: null,
          };
          book.enter([refundPart(refund, of)]);
          book.enter([refundPart(refund, of)]);
          expect(-book.balance('orders', 'eth')).toBe(kept - back);
          expect(-book.balance('team', 'eth')).toBe(back);
          expect(-book.balance('refunded', 'USD')).toBeLessThanOrEqual(before.received);
        },
      ),
      { numRuns: 10_000 },
    );
  });
});
