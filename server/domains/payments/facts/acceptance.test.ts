// Acceptances and refunds by the team: rules that the other tests of the facts do not cover.
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
/** An acceptance as an earlier version recorded it: without `ended`. */
const acceptBefore = (of: string[], at: number): Fact => ({ type: 'accepted', at, by: 'admin', reason: 'x', of });
const polled = (at: number): Fact => ({ type: 'polled', at });
const outcomeAfter = (...facts: Fact[]) => outcomeOf(add(EMPTY, facts), TERMS);
const acceptableAfter = (...facts: Fact[]) => acceptableDeposits(add(EMPTY, facts), TERMS);

describe('an acceptance that an earlier version recorded', () => {
  const expired = seen({ status: 'expired', actuallyPaid: 0.1, updatedAt: START + HOUR });

  it('covers a deposit with money that had expired before it, and none that expired afterwards', () => {
    expect(outcomeAfter(expired, acceptBefore(['5'], START + HOUR)).state).toBe('paid');
    expect(outcomeAfter(expired, acceptBefore(['5'], START + HOUR - 1)).state).toBe('under_review');
  });

  it('covers a deposit in an unknown state', () => {
    const facts = [seen({ status: 'unknown', actuallyPaid: 1 }), acceptBefore(['5'], START)];
    expect(outcomeAfter(...facts)).toMatchObject({ state: 'paid', attention: [] });
  });
});

describe('the deposits that can be accepted', () => {
  const waiting = seen({ status: 'waiting', actuallyPaid: 0.1 });

  it('include a waiting deposit with money after a poll at or after the end of the order', () => {
    expect(acceptableAfter(waiting)).toEqual([]);
    expect(acceptableAfter(waiting, polled(TERMS.expiresAt - 1))).toEqual([]);
    expect(acceptableAfter(waiting, polled(TERMS.expiresAt))).toEqual(['5']);
    expect(acceptableAfter(waiting, polled(TERMS.expiresAt + 1))).toEqual(['5']);
  });

  it('exclude a deposit that the provider returned', () => {
    expect(acceptableAfter(seen({ status: 'refunded' }), seen({ paymentId: '6' }))).toEqual(['6']);
  });
});

it('of two deposits that do not match the order, the accepted one pays it, and the other one needs a review', () => {
  const outcome = outcomeAfter(
    seen({ paymentId: '8', parentId: '5', orderId: null }),
    seen({ paymentId: '9', parentId: '5', orderId: null }),
    accept(['9']),
  );
  expect(outcome).toMatchObject({ state: 'paid', attention: ['repeat_deposit'] });
});

describe('money that the team sent back', () => {
  const back = (at: number): Fact => ({ type: 'sent_back', at, of: ['5'], amounts: { '5': '1' } });
  const grown = seen({ actuallyPaid: 2 });

  it('needs a review when its deposit grows, until that deposit is accepted after the refund', () => {
    expect(outcomeAfter(grown, back(START)).attention).toContain('after_refund');
    expect(outcomeAfter(grown, back(START), accept(['5'], START)).attention).toContain('after_refund');
    expect(outcomeAfter(grown, back(START), accept(['5'], START + 1)).attention).toEqual([]);
  });

  it('does not end the review of a deposit in an unknown state without money', () => {
    const { attention } = outcomeAfter(seen({ status: 'unknown', actuallyPaid: 0 }), back(START));
    expect(attention).toEqual(['unknown_status']);
  });

  it('is stored with the same text for equal amounts, whichever refund is added first', () => {
    const none = { sentBack: [], straysBack: [], sentBackAmounts: {}, sentBackAt: 0 };
    const fact = (amount: string) => ({ at: START, of: ['5'], amounts: { '5': amount } });
    for (const [first, second] of [
      ['1', '1.0'],
      ['1.0', '1'],
    ] as const)
      expect(addSentBack(addSentBack(none, fact(first)), fact(second)).sentBackAmounts).toEqual({ '5': '1.0' });
  });
});
