// State of an order, rule by rule: its status, the deposit that is shown, the missing amount, and the reasons for a review.
import { describe, expect, it } from 'vitest';
import type { PaymentState } from '#contract/domains/payments.ts';
import type { Deposit } from '#server/providers/payments/port.ts';
import { add, DAY, deposit, HOUR, START, TERMS } from '#tests/fixtures/deposits.ts';
import { missingAmount } from './missing-amount.policy.ts';
import {
  acceptableDeposits,
  depositsWithMoney,
  EMPTY,
  type Fact,
  isAccepted,
  isAtLeastPartPaid,
  isSettled,
  mayDeliver,
  outcomeOf,
} from './reduce.policy.ts';

const seen = (one: Partial<Deposit>): Fact => ({ type: 'seen', deposit: deposit(one) });
const accept = (of: string[], at = START, by = 'admin'): Fact => ({
  type: 'accepted',
  at,
  by,
  reason: 'x',
  of,
  ended: true,
});
/** An acceptance as an earlier version recorded it: without `ended`. */
const acceptBefore = (of: string[], at: number): Fact => ({ type: 'accepted', at, by: 'admin', reason: 'x', of });
const SUPERSEDED: Fact = { type: 'superseded', at: START };
const outcomeAfter = (...facts: Fact[]) => outcomeOf(add(EMPTY, facts), TERMS);
const HALF = { status: 'partially_paid', actuallyPaid: 1 } as const;
const SENT_BACK: Fact = { type: 'sent_back', at: TERMS.expiresAt, of: ['5'], amounts: { '5': '1' } };
const ALL_BACK: Fact = { type: 'sent_back', at: START, of: ['5'], amounts: {} };
const STRAY_BACK: Fact = { type: 'sent_back', at: START, of: ['9'], amounts: { '9': '2' }, stray: true };
const UNKNOWN = { status: 'unknown', actuallyPaid: 1 } as const;
const SENDING = seen({ status: 'sending', actuallyPaid: 0.1 });
const DUST = seen({ paymentId: '6', status: 'failed', actuallyPaid: 0.01 });
const OVERDUE: Fact = { type: 'polled', at: TERMS.expiresAt + 7 * DAY };
const REPEATED = { paymentId: '9', parentId: '5', orderId: null } as const;

describe('the state of an order', () => {
  it.each<[string, Fact[], PaymentState]>([
    ['no deposit', [], 'awaiting'],
    ['a waiting deposit without money', [seen({ status: 'waiting', actuallyPaid: 0 })], 'awaiting'],
    ['a confirming deposit', [seen({ status: 'confirming' })], 'confirming'],
    ['an expired deposit without money', [seen({ status: 'expired', actuallyPaid: 0 })], 'expired'],
    ['a failed deposit without money', [seen({ status: 'failed', actuallyPaid: 0 })], 'failed'],
    [
      'a failed deposit while another waits',
      [seen({ status: 'failed', actuallyPaid: 0 }), seen({ paymentId: '6', status: 'waiting', actuallyPaid: 0 })],
      'awaiting',
    ],
    [
      'an expired deposit while another waits',
      [seen({ status: 'expired', actuallyPaid: 0 }), seen({ paymentId: '6', status: 'waiting', actuallyPaid: 0 })],
      'awaiting',
    ],
    [
      'a waiting deposit without money, polled at the end',
      [seen({ status: 'waiting', actuallyPaid: 0 }), { type: 'polled', at: TERMS.expiresAt }],
      'expired',
    ],
    ['a failed deposit with money', [seen({ status: 'failed', actuallyPaid: 0.1 })], 'under_review'],
    ['an expired deposit with money', [seen({ status: 'expired', actuallyPaid: 0.1 })], 'under_review'],
    ['a failed deposit with less than a hundredth', [seen({ status: 'failed', actuallyPaid: 0.0199 })], 'failed'],
    ['a failed deposit with a hundredth', [seen({ status: 'failed', actuallyPaid: 0.02 })], 'under_review'],
    [
      'a failed deposit with money whose amount due is unknown',
      [seen({ status: 'failed', actuallyPaid: 0.01, payAmount: null })],
      'under_review',
    ],
    ['money on its way for too long', [SENDING, OVERDUE], 'confirming'],
    ['a waiting deposit with money', [seen({ status: 'waiting', actuallyPaid: 0.1 })], 'awaiting'],
    [
      'a waiting deposit with money, polled at the end',
      [seen({ status: 'waiting', actuallyPaid: 0.1 }), { type: 'polled', at: TERMS.expiresAt }],
      'under_review',
    ],
    ['a failed deposit with money, accepted', [seen({ status: 'failed', actuallyPaid: 0.1 }), accept(['5'])], 'paid'],
    [
      'a failed deposit with money, if only another with less than a hundredth is accepted',
      [seen({ status: 'failed', actuallyPaid: 0.1 }), DUST, accept(['6'])],
      'under_review',
    ],
    ['less than a hundredth in a failed deposit, accepted', [DUST, accept(['6'])], 'failed'],
    ['money on its way for too long, accepted', [SENDING, OVERDUE, accept(['5'])], 'paid'],
    [
      'a failed deposit with money, accepted by an earlier version after it failed',
      [seen({ status: 'failed', actuallyPaid: 0.1 }), acceptBefore(['5'], START + HOUR)],
      'paid',
    ],
    [
      'a failed deposit with money, accepted by an earlier version before it failed',
      [seen({ status: 'failed', actuallyPaid: 0.1 }), acceptBefore(['5'], START + HOUR - 1)],
      'under_review',
    ],
    [
      'money on its way for too long, accepted by an earlier version',
      [SENDING, OVERDUE, acceptBefore(['5'], START)],
      'confirming',
    ],
    [
      'a repeated deposit, accepted by an earlier version before it was finished',
      [seen(REPEATED), acceptBefore(['9'], START)],
      'paid',
    ],
    [
      'a failed deposit with money while another is on its way',
      [seen({ status: 'failed', actuallyPaid: 0.1 }), seen({ paymentId: '6', status: 'sending', actuallyPaid: 0 })],
      'under_review',
    ],
    ['a deposit in an unknown state', [seen(UNKNOWN)], 'under_review'],
    ['a full one and one in an unknown state', [seen({}), seen({ ...UNKNOWN, paymentId: '6' })], 'under_review'],
    ['the same, both accepted', [seen({}), seen({ ...UNKNOWN, paymentId: '6' }), accept(['5', '6'])], 'paid'],
    [
      'a full deposit, accepted, and a later one in an unknown state',
      [seen({}), accept(['5']), seen({ ...UNKNOWN, paymentId: '6' })],
      'under_review',
    ],
    [
      'two deposits in unknown states, one of them accepted',
      [seen(UNKNOWN), seen({ ...UNKNOWN, paymentId: '6' }), accept(['5'])],
      'under_review',
    ],
    ['an unknown state and a repeated deposit, accepted', [seen(UNKNOWN), seen(REPEATED), accept(['5', '9'])], 'paid'],
    [
      'a full payment in time and a late one',
      [seen({}), seen({ paymentId: '6', updatedAt: TERMS.expiresAt + 2 * DAY })],
      'overpaid',
    ],
    [
      'two late payments',
      [seen({ updatedAt: TERMS.expiresAt + 2 * DAY }), seen({ paymentId: '6', updatedAt: TERMS.expiresAt + 2 * DAY })],
      'paid_late',
    ],
    ['a full payment, superseded', [seen({}), SUPERSEDED], 'under_review'],
    ['a full payment, superseded, accepted', [seen({}), SUPERSEDED, accept(['5'])], 'paid'],
    ['a partial payment', [seen(HALF)], 'partially_paid'],
    ['a partial payment, superseded', [seen(HALF), SUPERSEDED], 'under_review'],
    ['a partial payment, superseded, accepted', [seen(HALF), SUPERSEDED, accept(['5'])], 'paid'],
    ['a partial payment, accepted', [seen(HALF), accept(['5'])], 'partially_paid'],
    ['a repeated deposit', [seen(REPEATED)], 'under_review'],
    ['a refunded deposit', [seen({ status: 'refunded' })], 'refunded'],
    ['a refund, and another on its way', [seen({ paymentId: '6', status: 'refunded' }), SENDING], 'confirming'],
    [
      'a refund, and another on its way that then fails without money',
      [seen({ paymentId: '6', status: 'refunded' }), SENDING, seen({ status: 'failed', actuallyPaid: 0 })],
      'refunded',
    ],
    ['a repeated deposit without money', [seen({ ...REPEATED, status: 'waiting', actuallyPaid: 0 })], 'awaiting'],
  ])('is computed after %s', (_, facts, state) => {
    expect(outcomeAfter(...facts).state).toBe(state);
  });

  it.each(['confirming', 'confirmed', 'sending'] as const)('is confirming while a deposit is %s', (status) => {
    expect(outcomeAfter(seen({ status, actuallyPaid: 0 })).state).toBe('confirming');
  });
});

describe('an acceptance', () => {
  it('has at least one deposit, and ends when one of its deposits is refunded', () => {
    const both = add(EMPTY, [seen(HALF), seen({ ...HALF, paymentId: '6' })]);
    const accepted = add(both, [accept(depositsWithMoney(both))]);
    expect(isAccepted(accepted)).toBe(true);
    expect(isAccepted(add(accepted, [seen({ paymentId: '6', status: 'refunded' })]))).toBe(false);
    expect(isAccepted(both)).toBe(false);
    expect(isAccepted(add(both, [accept([])]))).toBe(false);
  });

  it('recorded by an earlier version is ignored unless at least one of its deposits counts', () => {
    const accepted = (...facts: Fact[]) => isAccepted(add(EMPTY, [...facts, seen({ ...HALF, paymentId: '7' })]));
    expect(accepted(DUST, acceptBefore(['6'], START + HOUR))).toBe(false);
    expect(accepted(SENDING, acceptBefore(['5'], START + HOUR))).toBe(false);
    const failed = seen({ status: 'failed', actuallyPaid: 0.1 });
    expect(accepted(failed, acceptBefore(['5'], START))).toBe(false);
    expect(accepted(failed, acceptBefore(['5'], START + HOUR))).toBe(true);
    expect(accepted(failed, acceptBefore(['5', '7'], START))).toBe(true);
  });

  it('does not cover money on its way before it is overdue, nor less than a hundredth in a deposit that ended', () => {
    const acceptable = (...facts: Fact[]) => acceptableDeposits(add(EMPTY, facts), TERMS);
    expect(acceptable(DUST)).toEqual([]);
    for (const status of ['expired', 'waiting'] as const)
      expect(acceptable(seen({ status, actuallyPaid: 0.01 }), { type: 'polled', at: TERMS.expiresAt })).toEqual([]);
    expect(acceptable(SENDING)).toEqual([]);
    expect(acceptable(SENDING, OVERDUE)).toEqual(['5']);
    expect(acceptable(seen({}), seen(REPEATED), STRAY_BACK)).toEqual(['5']);
    expect(acceptable(seen({}), seen({ ...REPEATED, actuallyPaid: 3 }), STRAY_BACK)).toEqual(['5', '9']);
    expect(acceptable(seen({ status: 'failed', actuallyPaid: 0.02 }), DUST)).toEqual(['5']);
    // Money that the provider credits, or that does not match the order, can be accepted however little it is.
    expect(acceptable(seen({ ...HALF, actuallyPaid: 0.01 }))).toEqual(['5']);
    expect(acceptable(seen({ ...REPEATED, status: 'failed', actuallyPaid: 0.01 }))).toEqual(['9']);
  });

  it('is the latest one, and does not depend on the order of simultaneous ones', () => {
    const facts = [accept(['5'], START, 'ana'), accept(['6'], START, 'bob'), accept(['7'], START - 1, 'zoe')];
    for (const order of [facts, facts.toReversed()])
      expect(add(EMPTY, order).accepted).toEqual({ at: START, by: 'bob', reason: 'x', of: ['6'], ended: true });
    expect(add(EMPTY, [accept(['7', '5'])]).accepted?.of).toEqual(['5', '7']);
  });

  it('is required to deliver a late payment only when the price has changed', () => {
    const late = add(EMPTY, [seen({ updatedAt: TERMS.expiresAt + 2 * DAY })]);
    expect([3_000, 5_000].map((price) => mayDeliver(late, TERMS, price))).toEqual([true, false]);
    expect(mayDeliver(add(late, [accept(['5'])]), TERMS, 5_000)).toBe(true);
  });
});

describe('the known facts', () => {
  it('keep the earliest time at which the order was superseded', () => {
    const facts: Fact[] = [
      { type: 'superseded', at: START + 1 },
      { type: 'superseded', at: START },
    ];
    for (const order of [facts, facts.toReversed()]) expect(add(EMPTY, order).supersededAt).toBe(START);
    expect(add(EMPTY, facts.slice(0, 1)).supersededAt).toBe(START + 1);
  });

  it('collect the refunds that the team noted', () => {
    const noted = add(EMPTY, [
      { type: 'refund_noted', of: ['6'] },
      { type: 'refund_noted', of: ['5', '6'] },
    ]);
    expect(noted.refundsNoted).toEqual(['5', '6']);
    expect(EMPTY.refundsNoted).toEqual([]);
  });
});

describe('the missing amount', () => {
  it.each<[string, Fact[], number, number]>([
    ['half of the price', [seen(HALF)], 1_500, 1_500],
    // A deposit that the provider reports as partial is short by at least a cent.
    ['all of it, reported as partial', [seen({ status: 'partially_paid', actuallyPaid: 2 })], 3_000, 0.01],
    ['both halves', [seen(HALF), seen({ ...HALF, paymentId: '6' })], 3_000, 0],
    [
      'two quarters',
      [seen({ ...HALF, actuallyPaid: 0.5 }), seen({ ...HALF, actuallyPaid: 0.5, paymentId: '6' })],
      1_500,
      1_500,
    ],
    ['all of it and half of it', [seen({}), seen({ ...HALF, paymentId: '6' })], 4_500, 0],
    ['a repeated deposit', [seen(REPEATED)], 0, 3_000],
    ['a repeated deposit, accepted', [seen(REPEATED), accept(['9'])], 3_000, 0],
    ['a deposit for another price, accepted', [seen({ priceAmount: 1_000 }), accept(['5'])], 1_000, 2_000],
    ['a deposit priced in euros, accepted', [seen({ priceCurrency: 'eur' }), accept(['5'])], 0, 3_000],
    ['a deposit in an unknown state, accepted', [seen(UNKNOWN), accept(['5'])], 1_500, 1_500],
    [
      'half of it and the rest as a repeated deposit, accepted',
      [seen(HALF), seen({ ...REPEATED, actuallyPaid: 1 }), accept(['5', '9'])],
      3_000,
      0,
    ],
    ['all of it and a repeated deposit, accepted', [seen({}), seen(REPEATED), accept(['5', '9'])], 6_000, 0],
    ['less than a hundredth in a failed deposit, accepted', [DUST, accept(['6'])], 0, 3_000],
    [
      'a repeated deposit that was accepted and then refunded',
      [seen(REPEATED), accept(['9']), seen({ ...REPEATED, status: 'refunded' })],
      0,
      3_000,
    ],
  ])('after %s', (_, facts, received, missing) => {
    expect(outcomeAfter(...facts)).toMatchObject({ receivedUsd: received, missingUsd: missing });
  });

  it('in the currency of the deposit has no trailing zeros', () => {
    const missing = (payAmount: number, actuallyPaid: number) => missingAmount(deposit({ payAmount, actuallyPaid }));
    expect([missing(1.125, 0.025), missing(1.2, 0.2), missing(100.25, 0.25)]).toEqual(['1.1', '1', '100']);
    expect([missing(3e21, 1e21), missing(2e-7, 1e-7)]).toEqual(['2000000000000000000000', '0.0000001']);
  });
});

describe('the reasons for a review', () => {
  it.each<[string, Fact[], string[]]>([
    ['a full payment', [seen({})], []],
    ['a partial payment', [seen(HALF)], ['partially_paid']],
    ['a repeated deposit', [seen(REPEATED)], ['repeat_deposit']],
    ['a deposit for another price', [seen({ priceAmount: 1 })], ['wrong_order']],
    [
      'a repeated deposit and one for another price',
      [seen(REPEATED), seen({ priceAmount: 1 })],
      ['repeat_deposit', 'wrong_order'],
    ],
    ['a failed deposit with money', [seen({ status: 'failed', actuallyPaid: 0.1 })], ['ended_with_money']],
    ['an expired deposit with money', [seen({ status: 'expired', actuallyPaid: 0.1 })], ['ended_with_money']],
    ['an expired deposit without money', [seen({ status: 'expired', actuallyPaid: 0 })], []],
    [
      'a full payment, and a failed deposit with money',
      [seen({}), seen({ paymentId: '6', status: 'failed', actuallyPaid: 0.1 })],
      ['ended_with_money'],
    ],
    ['money on its way', [SENDING, { type: 'polled', at: TERMS.expiresAt + 6 * DAY }], []],
    ['money on its way for too long', [SENDING, OVERDUE], ['ended_with_money']],
    [
      'money on its way that is reported as expired',
      [SENDING, seen({ status: 'expired', actuallyPaid: 0.1 }), OVERDUE],
      ['ended_with_money'],
    ],
    ['less than a hundredth on its way for too long', [seen({ status: 'sending', actuallyPaid: 0.0199 }), OVERDUE], []],
    ['money on its way for too long, then credited', [SENDING, OVERDUE, seen({})], []],
    ['money on its way for too long, accepted', [SENDING, OVERDUE, accept(['5'])], []],
    [
      'money on its way for too long, accepted by an earlier version',
      [SENDING, OVERDUE, acceptBefore(['5'], TERMS.expiresAt)],
      ['ended_with_money'],
    ],
    ['a failed deposit whose money the team sent back', [seen({ status: 'failed', actuallyPaid: 0.1 }), ALL_BACK], []],
    ['a superseding without money', [SUPERSEDED], []],
    ['a full payment, superseded', [seen({}), SUPERSEDED], ['superseded']],
    ['a part and superseded', [seen(HALF), SUPERSEDED], ['superseded']],
    ['two full payments', [seen({}), seen({ paymentId: '6' })], ['several_deposits']],
    ['a full payment and a partial one', [seen({}), seen({ ...HALF, paymentId: '6' })], ['several_deposits']],
    ['a late payment', [seen({ updatedAt: TERMS.expiresAt + 2 * DAY })], ['late']],
    ['a second payment of the request', [seen({}), { type: 'paid_twice' }], ['paid_twice']],
    ['a second payment that was refunded', [seen({ status: 'refunded' }), { type: 'paid_twice' }], ['refunded']],
    ['a second payment that the team sent back', [seen({}), { type: 'paid_twice' }, ALL_BACK], []],
    ['a superseded payment that the team sent back', [seen({}), SUPERSEDED, ALL_BACK], []],
    ['a repeated deposit for a payment sent back', [seen({}), ALL_BACK, seen(REPEATED)], ['repeat_deposit']],
    ['a repeated deposit that the team sent back', [seen({}), seen(REPEATED), STRAY_BACK], []],
    [
      'a repeated deposit that the team sent back, and another one',
      [seen({}), seen(REPEATED), STRAY_BACK, seen({ ...REPEATED, paymentId: '8' })],
      ['repeat_deposit'],
    ],
    [
      'a repeated deposit that grew after the team sent it back',
      [seen({}), seen({ ...REPEATED, actuallyPaid: 3 }), STRAY_BACK],
      ['after_refund'],
    ],
    [
      'a full payment, and a failed deposit with money that the team sent back',
      [seen({}), seen({ paymentId: '9', status: 'failed', actuallyPaid: 2 }), STRAY_BACK],
      [],
    ],
    [
      'a partial payment, and a repeated deposit that the team sent back',
      [seen(HALF), seen(REPEATED), STRAY_BACK],
      ['partially_paid'],
    ],
    [
      'a payment that the team sent back, and a deposit in an unknown state',
      [seen({}), ALL_BACK, seen({ ...UNKNOWN, paymentId: '6' })],
      ['unknown_status'],
    ],
    ['a deposit in an unknown state', [seen({ ...UNKNOWN, actuallyPaid: 0 })], ['unknown_status']],
    ['a refund', [seen({ status: 'refunded' })], ['refunded']],
    ['a refund that the team noted', [seen({ status: 'refunded' }), { type: 'refund_noted', of: ['5'] }], []],
    [
      'two refunds, one of them noted by the team',
      [seen({ status: 'refunded' }), seen({ paymentId: '6', status: 'refunded' }), { type: 'refund_noted', of: ['5'] }],
      ['refunded'],
    ],
    ['a partial payment that the team sent back', [seen(HALF), SENT_BACK], []],
    [
      'a partial payment that the team sent back, and another one',
      [seen(HALF), SENT_BACK, seen({ ...HALF, paymentId: '6' })],
      ['several_deposits', 'partially_paid'],
    ],
    ['a payment that grew after the team sent it back', [seen(HALF), SENT_BACK, seen({})], ['after_refund']],
    [
      'a payment that grew after it was accepted and sent back',
      [seen(HALF), accept(['5']), SENT_BACK, seen({ ...HALF, actuallyPaid: 1.5 })],
      ['after_refund'],
    ],
    ['a partial payment, accepted', [seen(HALF), accept(['5'])], []],
    ['money after an acceptance', [seen(HALF), accept(['5']), seen(REPEATED)], ['repeat_deposit', 'partially_paid']],
  ])('after %s', (_, facts, attention) => {
    expect(outcomeAfter(...facts).attention).toEqual(attention);
  });
});

it('confirms any money that arrived for the order, and settles only full payments', () => {
  const states: PaymentState[] = [
    'paid',
    'overpaid',
    'paid_late',
    'partially_paid',
    'under_review',
    'refunded',
    'awaiting',
  ];
  expect(states.filter(isAtLeastPartPaid)).toEqual(['paid', 'overpaid', 'paid_late', 'partially_paid']);
  expect(states.filter(isSettled)).toEqual(['paid', 'overpaid', 'paid_late']);
});
