// What an acceptance covers, and what was sent back before it, where the other tests of the facts leave a rule open.
import { describe, expect, it } from 'vitest';
import type { Deposit } from '#server/providers/payments/port.ts';
import { add, deposit, HOUR, START, TERMS } from '#tests/fixtures/deposits.ts';
import { acceptableDeposits, EMPTY, type Fact, outcomeOf } from './reduce.policy.ts';
import { addSentBack } from './sent-back.policy.ts';

const seen = (one: Partial<Deposit>): Fact => ({ type: 'seen', deposit: deposit(one) });
const accept = (of: string[], at = START): Fact => ({
  type: 'accepted',
  at,
  by: 'admin',
  reason: 'x',
  of,
  ended: true,
});
/** As an earlier version recorded it. */
const acceptBefore = (of: string[], at: number): Fact => ({ type: 'accepted', at, by: 'admin', reason: 'x', of });
const polled = (at: number): Fact => ({ type: 'polled', at });
const outcomeAfter = (...facts: Fact[]) => outcomeOf(add(EMPTY, facts), TERMS);
const acceptableAfter = (...facts: Fact[]) => acceptableDeposits(add(EMPTY, facts), TERMS);

describe('the acceptance of an earlier version', () => {
  const expired = seen({ status: 'expired', actuallyPaid: 0.1, updatedAt: START + HOUR });

  it('covers an expired deposit with money that it followed, and none that expired afterwards', () => {
    expect(outcomeAfter(expired, acceptBefore(['5'], START + HOUR)).state).toBe('paid');
    expect(outcomeAfter(expired, acceptBefore(['5'], START + HOUR - 1)).state).toBe('under_review');
  });

  it('covers a deposit in an unknown state', () => {
    const facts = [seen({ status: 'unknown', actuallyPaid: 1 }), acceptBefore(['5'], START)];
    expect(outcomeAfter(...facts)).toMatchObject({ state: 'paid', attention: [] });
  });
});

describe('what can be accepted', () => {
  const waiting = seen({ status: 'waiting', actuallyPaid: 0.1 });

  it('has a deposit that waits with money from the moment at which the order ends', () => {
    expect(acceptableAfter(waiting)).toEqual([]);
    expect(acceptableAfter(waiting, polled(TERMS.expiresAt - 1))).toEqual([]);
    expect(acceptableAfter(waiting, polled(TERMS.expiresAt))).toEqual(['5']);
    expect(acceptableAfter(waiting, polled(TERMS.expiresAt + 1))).toEqual(['5']);
  });

  it('has no deposit whose money is not held', () => {
    expect(acceptableAfter(seen({ status: 'refunded' }), seen({ paymentId: '6' }))).toEqual(['6']);
  });
});

it('of two deposits that do not match, the accepted one pays, and the other one needs a review', () => {
  const outcome = outcomeAfter(
    seen({ paymentId: '8', parentId: '5', orderId: null }),
    seen({ paymentId: '9', parentId: '5', orderId: null }),
    accept(['9']),
  );
  expect(outcome).toMatchObject({ state: 'paid', attention: ['repeat_deposit'] });
});

describe('money that was sent back', () => {
  const back = (at: number): Fact => ({ type: 'sent_back', at, of: ['5'], amounts: { '5': '1' } });
  const grown = seen({ actuallyPaid: 2 });

  it('needs a review when more arrives, until it is accepted after the refund', () => {
    expect(outcomeAfter(grown, back(START)).attention).toContain('after_refund');
    expect(outcomeAfter(grown, back(START), accept(['5'], START)).attention).toContain('after_refund');
    expect(outcomeAfter(grown, back(START), accept(['5'], START + 1)).attention).toEqual([]);
  });

  it('ends no review of an unknown state in which no money is seen', () => {
    const { attention } = outcomeAfter(seen({ status: 'unknown', actuallyPaid: 0 }), back(START));
    expect(attention).toEqual(['unknown_status']);
  });

  it('has the same text for equal amounts in both orders', () => {
    const none = { sentBack: [], straysBack: [], sentBackAmounts: {}, sentBackAt: 0 };
    const fact = (amount: string) => ({ at: START, of: ['5'], amounts: { '5': amount } });
    for (const [first, second] of [
      ['1', '1.0'],
      ['1.0', '1'],
    ] as const)
      expect(addSentBack(addSentBack(none, fact(first)), fact(second)).sentBackAmounts).toEqual({ '5': '1.0' });
  });
});
