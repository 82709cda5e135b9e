// Random behaviour of payers, the provider and the network, in ten thousand cases: the money ledger agrees with the provider's data to the
// last unit.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  depositParts,
  difference,
  type Line,
  orderParts,
  type Part,
  refundPart,
} from '#server/domains/money/posting.policy.ts';
import { EMPTY, outcomeOf, reduce, type Terms } from '#server/domains/payments/facts/reduce.policy.ts';
import { orderFigures, worthIn } from '#server/domains/payments/posting/order-figures.policy.ts';
import { goneOf, SCALE, schedule, sumOf, truthOf, worthOf } from '#tests/support/payments/payment-schedules.ts';

const TERMS: Terms = { orderId: 'FL-0000000001', priceUsd: 1_500, expiresAt: 7 * 86_400_000 };
const CENTS = BigInt(TERMS.priceUsd) * 100n;
/** The money ledger as the database stores it: only differences are entered, and nothing is taken away. */
function newMoneyLedger() {
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

describe('the money ledger after random payment schedules', () => {
  it('agrees with the provider’s deposits, and every unit is placed, unplaced or returned', () => {
    fc.assert(
      fc.property(
        fc.array(schedule, { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.nat(1_000_000)),
        fc.option(fc.bigInt(1n, 1_000n)),
        fc.boolean(),
        (plans, chance, refundShare, placed) => {
          const truths = plans.map((one, i) => truthOf(one, i, { ...TERMS, at: 0, parentId: '4999999999' }));
          const next = () => chance.next().value ?? 0;
          // Callbacks are lost, repeated and in any order; at the end the provider is polled, which returns the real state.
          const calledBack = truths
            .flatMap(({ seen }) => seen)
            .flatMap((deposit) => Array.from({ length: next() % 3 }, () => ({ deposit, at: next() })))
            .toSorted((a, b) => a.at - b.at)
            .map(({ deposit }) => deposit);
          const polled = truths.flatMap(({ seen }) => seen.slice(-1));
          const ledger = newMoneyLedger();
          let knownFacts = EMPTY;
          ledger.enter(orderParts(TERMS.orderId, CENTS, orderFigures(EMPTY, TERMS)));
          for (const deposit of [...calledBack, ...polled]) {
            const truth = truths.find(({ id }) => id === deposit.paymentId);
            if (truth?.kind === 'stranger' && !placed) {
              if (polled.includes(deposit))
                ledger.enter(
                  depositParts(deposit, { outcome: deposit.outcome ?? null, cents: 0n, holder: 'unplaced' }),
                );
              continue;
            }
            knownFacts = reduce(knownFacts, { type: 'seen', deposit }, TERMS);
            const { expected, deposits, short } = orderFigures(knownFacts, TERMS);
            ledger.enter([
              ...orderParts(TERMS.orderId, CENTS, { expected, short }),
              ...deposits.flatMap(({ deposit: one, outcome, cents }) =>
                depositParts(one, { outcome, cents, holder: 'orders' }),
              ),
            ]);
          }
          // Each entry balances, so the whole does.
          for (const { lines } of ledger.entered)
            for (const asset of new Set(lines.map((line) => line.asset)))
              expect(
                sumOf(
                  lines.filter((line) => line.asset === asset),
                  ({ amount }) => amount,
                ),
              ).toBe(0n);

          const ours = truths.filter(({ kind }) => kind !== 'stranger' || placed);
          const strangers = truths.filter((one) => !ours.includes(one));
          for (const coin of ['eth', 'bnbbsc']) {
            const of = (some: typeof truths) =>
              sumOf(
                some.filter((one) => one.coin === coin),
                ({ paid }) => paid,
              ) * SCALE;
            // Credits are negative: what we hold for somebody.
            expect(-ledger.balance('orders', coin)).toBe(of(ours) - of(goneOf(ours)));
            expect(-ledger.balance('unplaced', coin)).toBe(of(strangers) - of(goneOf(strangers)));
            const settled = truths.filter(({ outcome }) => outcome);
            expect(ledger.balance('provider', coin)).toBe(of(truths) - of(goneOf(truths)) - of(settled));
            const same = settled.filter(({ outcome }) => outcome?.coin === coin && coin !== 'usdttrc20');
            expect(ledger.balance('balance', coin)).toBe(sumOf(same, ({ outcome }) => outcome?.amount ?? 0n) * SCALE);
            expect(ledger.balance('fees', coin)).toBe(
              of(same.filter((one) => one.coin === coin)) - sumOf(same, ({ outcome }) => outcome?.amount ?? 0n) * SCALE,
            );
          }
          // Dollars: what the sound deposits are worth, each rounded down by itself.
          expect(ledger.balance('received', 'USD')).toBe(sumOf(ours, (one) => worthOf(one, CENTS)));
          expect(-ledger.balance('refunded', 'USD')).toBe(sumOf(goneOf(ours), (one) => worthOf(one, CENTS)));
          const outcome = outcomeOf(knownFacts, TERMS);
          expect(BigInt(Math.round(outcome.receivedUsd * 100))).toBe(
            ledger.balance('received', 'USD') + ledger.balance('refunded', 'USD'),
          );
          const owed = !['expired', 'failed', 'refunded'].includes(outcome.state);
          expect(-ledger.balance('sales', 'USD')).toBe(owed ? CENTS : 0n);

          // The team refunds a part: it is posted out of the orders, and never exceeds the dollars received.
          const balance = -ledger.balance('orders', 'eth');
          if (refundShare === null || balance <= 0n) return;
          const of = worthIn(orderFigures(knownFacts, TERMS).deposits, 'eth');
          const back = (balance * refundShare) / 1_000n;
          const before = { received: ledger.balance('received', 'USD'), refunded: -ledger.balance('refunded', 'USD') };
          const refund = {
            number: 'RF-1',
            sent: true,
            byProvider: false,
            asset: 'eth',
            amount: back,
            decimals: 18,
            transaction: null,
          };
          ledger.enter([refundPart(refund, of, { amount: 0n }).part]);
          ledger.enter([refundPart(refund, of, { amount: 0n }).part]);
          expect(-ledger.balance('orders', 'eth')).toBe(balance - back);
          expect(-ledger.balance('team', 'eth')).toBe(back);
          expect(-ledger.balance('refunded', 'USD')).toBeLessThanOrEqual(before.received);
          // Money without a value goes back first, and leaves the price alone.
          if (back <= of.unvalued) expect(-ledger.balance('refunded', 'USD')).toBe(before.refunded);
          // And then the rest: all that this coin was worth, whatever the parts were.
          const rest = { ...refund, number: 'RF-2', amount: balance - back };
          ledger.enter([refundPart(rest, of, { amount: back }).part]);
          expect(-ledger.balance('refunded', 'USD')).toBe(before.refunded + of.cents);
        },
      ),
      { numRuns: 10_000 },
    );
  });
});
