import { describe, expect, it } from 'vitest';
import { EMPTY, type Fact } from '#server/domains/payments/facts/reduce.policy.ts';
import { fromStoredFacts, toStoredFacts } from '#server/domains/payments/facts/stored-facts.ts';
import type { Deposit } from '#server/providers/payments/port.ts';
import { add, deposit, TERMS } from '#tests/fixtures/deposits.ts';
import { orderFigures } from './order-figures.policy.ts';

const seen = (one: Partial<Deposit>): Fact => ({ type: 'seen', deposit: deposit(one) });
/** US cents of each deposit after these facts, which must not depend on their order. */
function centsAfter(...facts: Fact[]): bigint[] {
  const of = (order: Fact[]) => orderFigures(add(EMPTY, order), TERMS).deposits.map(({ cents }) => cents);
  expect(of(facts.toReversed())).toEqual(of(facts));
  return of(facts);
}

it('less than a hundredth of the price in a failed deposit has no value, accepted or not', () => {
  const accepted = (of: string[]): Fact => ({ type: 'accepted', at: TERMS.expiresAt, by: 'admin', reason: 'x', of });
  const dust = seen({ paymentId: '6', status: 'failed', actuallyPaid: 0.01 });
  const cents = (...facts: Fact[]) => orderFigures(add(EMPTY, facts), TERMS).deposits.map((one) => one.cents);
  expect(cents(dust)).toEqual([0n]);
  expect(cents(dust, accepted(['6']))).toEqual([0n]);
  expect(cents(seen({ status: 'failed', actuallyPaid: 1 }), dust, accepted(['5', '6']))).toEqual([150_000n, 0n]);
});

describe('a deposit that the provider returned', () => {
  const BACK = seen({ status: 'refunded', actuallyPaid: 1 });

  it.each(['failed', 'expired'] as const)('has no value if it was %s before', (status) => {
    expect(centsAfter(seen({ status, actuallyPaid: 1 }), BACK)).toEqual([0n]);
  });

  it.each(['waiting', 'confirming', 'sending'] as const)(
    'has its value if it was %s before, because the report of its completion may be lost',
    (status) => {
      expect(centsAfter(seen({ status, actuallyPaid: 1 }), BACK)).toEqual([150_000n]);
      expect(centsAfter(BACK)).toEqual([150_000n]);
    },
  );

  it('has the value of its completion, also if a failure is reported in between', () => {
    const part = seen({ status: 'partially_paid', actuallyPaid: 1 });
    expect(centsAfter(part, BACK)).toEqual([150_000n]);
    expect(centsAfter(part, seen({ status: 'failed', actuallyPaid: 1 }), BACK)).toEqual([150_000n]);
    expect(centsAfter(seen({}), seen({ status: 'refunded' }))).toEqual([300_000n]);
  });

  it('has no value if it did not match the order', () => {
    expect(centsAfter(seen({ priceAmount: 1 }), seen({ priceAmount: 1, status: 'refunded' }))).toEqual([0n]);
  });

  it('keeps its value if its facts were stored by an earlier version, without completed deposits', () => {
    const { completed: _, ...stored } = toStoredFacts(add(EMPTY, [seen({}), seen({ status: 'refunded' })]));
    expect(orderFigures(fromStoredFacts(stored), TERMS).deposits).toMatchObject([{ cents: 300_000n }]);
    const { completed: __, ...before } = toStoredFacts(add(EMPTY, [seen({})]));
    const after = add(fromStoredFacts(before), [seen({ status: 'refunded' })]);
    expect(orderFigures(after, TERMS).deposits).toMatchObject([{ cents: 300_000n }]);
  });
});
