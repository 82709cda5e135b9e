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
  isConfirmed,
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
/** As an earlier version recorded it. */
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
    ['nothing', [], 'awaiting'],
    ['a currency chosen', [seen({ status: 'waiting', actuallyPaid: 0 })], 'awaiting'],
    ['confirming', [seen({ status: 'confirming' })], 'confirming'],
    ['an expired attempt', [seen({ status: 'expired', actuallyPaid: 0 })], 'expired'],
    ['a failed attempt', [seen({ status: 'failed', actuallyPaid: 0 })], 'failed'],
    [
      'a failed attempt while another waits',
      [seen({ status: 'failed', actuallyPaid: 0 }), seen({ paymentId: '6', status: 'waiting', actuallyPaid: 0 })],
      'awaiting',
    ],
    [
      'an expired attempt while another waits',
      [seen({ status: 'expired', actuallyPaid: 0 }), seen({ paymentId: '6', status: 'waiting', actuallyPaid: 0 })],
      'awaiting',
    ],
    [
      'one that waits, asked past the end',
      [seen({ status: 'waiting', actuallyPaid: 0 }), { type: 'polled', at: TERMS.expiresAt }],
      'expired',
    ],
    ['a failed attempt with money', [seen({ status: 'failed', actuallyPaid: 0.1 })], 'under_review'],
    ['an expired attempt with money', [seen({ status: 'expired', actuallyPaid: 0.1 })], 'under_review'],
    ['a failed attempt with less than a hundredth', [seen({ status: 'failed', actuallyPaid: 0.0199 })], 'failed'],
    ['a failed attempt with a hundredth', [seen({ status: 'failed', actuallyPaid: 0.02 })], 'under_review'],
    [
      'a failed attempt with money, of which it is not known how much was due',
      [seen({ status: 'failed', actuallyPaid: 0.01, payAmount: null })],
      'under_review',
    ],
    ['money on its way for too long', [SENDING, OVERDUE], 'confirming'],
    ['one with money that waits', [seen({ status: 'waiting', actuallyPaid: 0.1 })], 'awaiting'],
    [
      'one with money that waits, asked past the end',
      [seen({ status: 'waiting', actuallyPaid: 0.1 }), { type: 'polled', at: TERMS.expiresAt }],
      'under_review',
    ],
    ['a failed attempt with money, accepted', [seen({ status: 'failed', actuallyPaid: 0.1 }), accept(['5'])], 'paid'],
    [
      'the same, of which only less than a hundredth in another attempt was accepted',
      [seen({ status: 'failed', actuallyPaid: 0.1 }), DUST, accept(['6'])],
      'under_review',
    ],
    ['less than a hundredth in a failed attempt, accepted', [DUST, accept(['6'])], 'failed'],
    ['money on its way for too long, accepted', [SENDING, OVERDUE, accept(['5'])], 'paid'],
    [
      'a failed attempt with money, accepted by an earlier version after it',
      [seen({ status: 'failed', actuallyPaid: 0.1 }), acceptBefore(['5'], START + HOUR)],
      'paid',
    ],
    [
      'the same, before it',
      [seen({ status: 'failed', actuallyPaid: 0.1 }), acceptBefore(['5'], START + HOUR - 1)],
      'under_review',
    ],
    [
      'money on its way for too long, accepted by an earlier version',
      [SENDING, OVERDUE, acceptBefore(['5'], START)],
      'confirming',
    ],
    [
      'an odd one, accepted by an earlier version while it was on its way',
      [seen(REPEATED), acceptBefore(['9'], START)],
      'paid',
    ],
    [
      'a failed attempt with money while another is on its way',
      [seen({ status: 'failed', actuallyPaid: 0.1 }), seen({ paymentId: '6', status: 'sending', actuallyPaid: 0 })],
      'under_review',
    ],
    ['a state that nobody knows', [seen(UNKNOWN)], 'under_review'],
    ['paid, and another deposit in such a state', [seen({}), seen({ ...UNKNOWN, paymentId: '6' })], 'under_review'],
    ['paid, the unknown one looked at', [seen({}), seen({ ...UNKNOWN, paymentId: '6' }), accept(['5', '6'])], 'paid'],
    [
      'paid, an unknown one that came after the look',
      [seen({}), accept(['5']), seen({ ...UNKNOWN, paymentId: '6' })],
      'under_review',
    ],
    [
      'one of two unknown ones looked at',
      [seen(UNKNOWN), seen({ ...UNKNOWN, paymentId: '6' }), accept(['5'])],
      'under_review',
    ],
    ['an unknown one and an odd one, both looked at', [seen(UNKNOWN), seen(REPEATED), accept(['5', '9'])], 'paid'],
    ['in time and late', [seen({}), seen({ paymentId: '6', updatedAt: TERMS.expiresAt + 2 * DAY })], 'overpaid'],
    [
      'late twice',
      [seen({ updatedAt: TERMS.expiresAt + 2 * DAY }), seen({ paymentId: '6', updatedAt: TERMS.expiresAt + 2 * DAY })],
      'paid_late',
    ],
    ['paid and superseded', [seen({}), SUPERSEDED], 'under_review'],
    ['paid and superseded, accepted', [seen({}), SUPERSEDED, accept(['5'])], 'paid'],
    ['a part', [seen(HALF)], 'partially_paid'],
    ['a part, superseded', [seen(HALF), SUPERSEDED], 'under_review'],
    ['a part, superseded, accepted', [seen(HALF), SUPERSEDED, accept(['5'])], 'paid'],
    ['a part, accepted', [seen(HALF), accept(['5'])], 'partially_paid'],
    ['an odd one', [seen(REPEATED)], 'under_review'],
    ['returned', [seen({ status: 'refunded' })], 'refunded'],
    ['returned, and another attempt on its way', [seen({ paymentId: '6', status: 'refunded' }), SENDING], 'confirming'],
    [
      'the same, which then fails without money',
      [seen({ paymentId: '6', status: 'refunded' }), SENDING, seen({ status: 'failed', actuallyPaid: 0 })],
      'refunded',
    ],
    ['an odd one without money', [seen({ ...REPEATED, status: 'waiting', actuallyPaid: 0 })], 'awaiting'],
  ])('%s', (_, facts, state) => {
    expect(outcomeAfter(...facts).state).toBe(state);
  });

  it.each(['confirming', 'confirmed', 'sending'] as const)('is confirming while a deposit is %s', (status) => {
    expect(outcomeAfter(seen({ status, actuallyPaid: 0 })).state).toBe('confirming');
  });
});

describe('an acceptance', () => {
  it('is about each of its deposits: it ends when one of them goes back', () => {
    const both = add(EMPTY, [seen(HALF), seen({ ...HALF, paymentId: '6' })]);
    const accepted = add(both, [accept(depositsWithMoney(both))]);
    expect(isAccepted(accepted)).toBe(true);
    expect(isAccepted(add(accepted, [seen({ paymentId: '6', status: 'refunded' })]))).toBe(false);
    expect(isAccepted(both)).toBe(false);
    expect(isAccepted(add(both, [accept([])]))).toBe(false);
  });

  it('of an earlier version is none where nothing of it counts, so that it does not pay with what comes later', () => {
    const accepted = (...facts: Fact[]) => isAccepted(add(EMPTY, [...facts, seen({ ...HALF, paymentId: '7' })]));
    expect(accepted(DUST, acceptBefore(['6'], START + HOUR))).toBe(false);
    expect(accepted(SENDING, acceptBefore(['5'], START + HOUR))).toBe(false);
    const failed = seen({ status: 'failed', actuallyPaid: 0.1 });
    expect(accepted(failed, acceptBefore(['5'], START))).toBe(false);
    expect(accepted(failed, acceptBefore(['5'], START + HOUR))).toBe(true);
    expect(accepted(failed, acceptBefore(['5', '7'], START))).toBe(true);
  });

  it('is not about money on its way, nor about less than a hundredth in an attempt that ended', () => {
    const acceptable = (...facts: Fact[]) => acceptableDeposits(add(EMPTY, facts), TERMS);
    expect(acceptable(DUST)).toEqual([]);
    for (const status of ['expired', 'waiting'] as const)
      expect(acceptable(seen({ status, actuallyPaid: 0.01 }), { type: 'polled', at: TERMS.expiresAt })).toEqual([]);
    expect(acceptable(SENDING)).toEqual([]);
    expect(acceptable(SENDING, OVERDUE)).toEqual(['5']);
    expect(acceptable(seen({}), seen(REPEATED), STRAY_BACK)).toEqual(['5']);
    expect(acceptable(seen({}), seen({ ...REPEATED, actuallyPaid: 3 }), STRAY_BACK)).toEqual(['5', '9']);
    expect(acceptable(seen({ status: 'failed', actuallyPaid: 0.02 }), DUST)).toEqual(['5']);
    // What the provider credits, and what does not match the order, is decided by a person, however little it is.
    expect(acceptable(seen({ ...HALF, actuallyPaid: 0.01 }))).toEqual(['5']);
    expect(acceptable(seen({ ...REPEATED, status: 'failed', actuallyPaid: 0.01 }))).toEqual(['9']);
  });

  it('is the last one, of one moment always the same', () => {
    const facts = [accept(['5'], START, 'ana'), accept(['6'], START, 'bob'), accept(['7'], START - 1, 'zoe')];
    for (const order of [facts, facts.toReversed()])
      expect(add(EMPTY, order).accepted).toEqual({ at: START, by: 'bob', reason: 'x', of: ['6'], ended: true });
    expect(add(EMPTY, [accept(['7', '5'])]).accepted?.of).toEqual(['5', '7']);
  });

  it('delivers a late payment at its price, and another only with a word', () => {
    const late = add(EMPTY, [seen({ updatedAt: TERMS.expiresAt + 2 * DAY })]);
    expect([3_000, 5_000].map((price) => mayDeliver(late, TERMS, price))).toEqual([true, false]);
    expect(mayDeliver(add(late, [accept(['5'])]), TERMS, 5_000)).toBe(true);
  });
});

describe('what the facts add up to', () => {
  it('keeps the first moment at which an order was superseded', () => {
    const facts: Fact[] = [
      { type: 'superseded', at: START + 1 },
      { type: 'superseded', at: START },
    ];
    for (const order of [facts, facts.toReversed()]) expect(add(EMPTY, order).supersededAt).toBe(START);
    expect(add(EMPTY, facts.slice(0, 1)).supersededAt).toBe(START + 1);
  });

  it('gathers the refunds that the team knows of', () => {
    const noted = add(EMPTY, [
      { type: 'refund_noted', of: ['6'] },
      { type: 'refund_noted', of: ['5', '6'] },
    ]);
    expect(noted.refundsNoted).toEqual(['5', '6']);
    expect(EMPTY.refundsNoted).toEqual([]);
  });
});

describe('what is missing', () => {
  it.each<[string, Fact[], number, number]>([
    ['a half', [seen(HALF)], 1_500, 1_500],
    // What the provider reports as partial is short, if only by a cent.
    ['all of it, called a part', [seen({ status: 'partially_paid', actuallyPaid: 2 })], 3_000, 0.01],
    ['two halves', [seen(HALF), seen({ ...HALF, paymentId: '6' })], 3_000, 0],
    [
      'two quarters',
      [seen({ ...HALF, actuallyPaid: 0.5 }), seen({ ...HALF, actuallyPaid: 0.5, paymentId: '6' })],
      1_500,
      1_500,
    ],
    ['all of it and a part', [seen({}), seen({ ...HALF, paymentId: '6' })], 4_500, 0],
    ['an odd one', [seen(REPEATED)], 0, 3_000],
    ['an odd one that was accepted', [seen(REPEATED), accept(['9'])], 3_000, 0],
    ['one of another price, accepted', [seen({ priceAmount: 1_000 }), accept(['5'])], 1_000, 2_000],
    ['one in euros, accepted', [seen({ priceCurrency: 'eur' }), accept(['5'])], 0, 3_000],
    ['one in a state that nobody knows, accepted', [seen(UNKNOWN), accept(['5'])], 1_500, 1_500],
    [
      'a half and the rest as a repeated one, accepted',
      [seen(HALF), seen({ ...REPEATED, actuallyPaid: 1 }), accept(['5', '9'])],
      3_000,
      0,
    ],
    ['all of it and a repeated one, accepted', [seen({}), seen(REPEATED), accept(['5', '9'])], 6_000, 0],
    ['less than a hundredth in a failed attempt, accepted', [DUST, accept(['6'])], 0, 3_000],
    [
      'an odd one that was accepted and went back',
      [seen(REPEATED), accept(['9']), seen({ ...REPEATED, status: 'refunded' })],
      0,
      3_000,
    ],
  ])('after %s', (_, facts, received, missing) => {
    expect(outcomeAfter(...facts)).toMatchObject({ receivedUsd: received, missingUsd: missing });
  });

  it('in the coin of the deposit, without zeros at its end', () => {
    const missing = (payAmount: number, actuallyPaid: number) => missingAmount(deposit({ payAmount, actuallyPaid }));
    expect([missing(1.125, 0.025), missing(1.2, 0.2), missing(100.25, 0.25)]).toEqual(['1.1', '1', '100']);
    expect([missing(3e21, 1e21), missing(2e-7, 1e-7)]).toEqual(['2000000000000000000000', '0.0000001']);
  });
});

describe('why somebody has to look', () => {
  it.each<[string, Fact[], string[]]>([
    ['paid', [seen({})], []],
    ['a part', [seen(HALF)], ['partially_paid']],
    ['a repeated deposit', [seen(REPEATED)], ['repeat_deposit']],
    ['another price', [seen({ priceAmount: 1 })], ['wrong_order']],
    ['both', [seen(REPEATED), seen({ priceAmount: 1 })], ['repeat_deposit', 'wrong_order']],
    ['a failed attempt with money', [seen({ status: 'failed', actuallyPaid: 0.1 })], ['ended_with_money']],
    ['an expired attempt with money', [seen({ status: 'expired', actuallyPaid: 0.1 })], ['ended_with_money']],
    ['an expired attempt without money', [seen({ status: 'expired', actuallyPaid: 0 })], []],
    [
      'paid, and a failed attempt with money',
      [seen({}), seen({ paymentId: '6', status: 'failed', actuallyPaid: 0.1 })],
      ['ended_with_money'],
    ],
    ['money on its way', [SENDING, { type: 'polled', at: TERMS.expiresAt + 6 * DAY }], []],
    ['money on its way for too long', [SENDING, OVERDUE], ['ended_with_money']],
    [
      'the same, which the provider calls expired since',
      [SENDING, seen({ status: 'expired', actuallyPaid: 0.1 }), OVERDUE],
      ['ended_with_money'],
    ],
    ['the same, of less than a hundredth', [seen({ status: 'sending', actuallyPaid: 0.0199 }), OVERDUE], []],
    ['the same, and credited at last', [SENDING, OVERDUE, seen({})], []],
    ['money on its way for too long, accepted', [SENDING, OVERDUE, accept(['5'])], []],
    [
      'the same, accepted by an earlier version',
      [SENDING, OVERDUE, acceptBefore(['5'], TERMS.expiresAt)],
      ['ended_with_money'],
    ],
    ['a failed attempt whose money the team sent back', [seen({ status: 'failed', actuallyPaid: 0.1 }), ALL_BACK], []],
    ['superseded without money', [SUPERSEDED], []],
    ['paid and superseded', [seen({}), SUPERSEDED], ['superseded']],
    ['a part and superseded', [seen(HALF), SUPERSEDED], ['superseded']],
    ['paid twice over', [seen({}), seen({ paymentId: '6' })], ['several_deposits']],
    ['paid, and a part', [seen({}), seen({ ...HALF, paymentId: '6' })], ['several_deposits']],
    ['late', [seen({ updatedAt: TERMS.expiresAt + 2 * DAY })], ['late']],
    ['another order of the request paid', [seen({}), { type: 'paid_twice' }], ['paid_twice']],
    ['the same, and the provider gave it back', [seen({ status: 'refunded' }), { type: 'paid_twice' }], ['refunded']],
    ['paid twice, and the team sent it back', [seen({}), { type: 'paid_twice' }, ALL_BACK], []],
    ['paid, superseded and sent back', [seen({}), SUPERSEDED, ALL_BACK], []],
    ['sent back, and a repeated deposit', [seen({}), ALL_BACK, seen(REPEATED)], ['repeat_deposit']],
    ['a repeated deposit that the team sent back', [seen({}), seen(REPEATED), STRAY_BACK], []],
    [
      'the same, and another one',
      [seen({}), seen(REPEATED), STRAY_BACK, seen({ ...REPEATED, paymentId: '8' })],
      ['repeat_deposit'],
    ],
    ['the same, and it grew', [seen({}), seen({ ...REPEATED, actuallyPaid: 3 }), STRAY_BACK], ['after_refund']],
    [
      'a failed attempt with money that the team sent back, and the rest is paid',
      [seen({}), seen({ paymentId: '9', status: 'failed', actuallyPaid: 2 }), STRAY_BACK],
      [],
    ],
    [
      'a part, and a repeated deposit that the team sent back',
      [seen(HALF), seen(REPEATED), STRAY_BACK],
      ['partially_paid'],
    ],
    [
      'a state that nobody knows, of another one',
      [seen({}), ALL_BACK, seen({ ...UNKNOWN, paymentId: '6' })],
      ['unknown_status'],
    ],
    ['a state that nobody knows', [seen({ ...UNKNOWN, actuallyPaid: 0 })], ['unknown_status']],
    ['a refund', [seen({ status: 'refunded' })], ['refunded']],
    ['a refund that the team knows of', [seen({ status: 'refunded' }), { type: 'refund_noted', of: ['5'] }], []],
    [
      'two refunds, one of them known',
      [seen({ status: 'refunded' }), seen({ paymentId: '6', status: 'refunded' }), { type: 'refund_noted', of: ['5'] }],
      ['refunded'],
    ],
    ['a part that the team sent back', [seen(HALF), SENT_BACK], []],
    [
      'a part that the team sent back, and another one',
      [seen(HALF), SENT_BACK, seen({ ...HALF, paymentId: '6' })],
      ['several_deposits', 'partially_paid'],
    ],
    ['a part that grew after the team sent it back', [seen(HALF), SENT_BACK, seen({})], ['after_refund']],
    [
      'the same, accepted before',
      [seen(HALF), accept(['5']), SENT_BACK, seen({ ...HALF, actuallyPaid: 1.5 })],
      ['after_refund'],
    ],
    ['accepted', [seen(HALF), accept(['5'])], []],
    ['money after the acceptance', [seen(HALF), accept(['5']), seen(REPEATED)], ['repeat_deposit', 'partially_paid']],
  ])('%s', (_, facts, attention) => {
    expect(outcomeAfter(...facts).attention).toEqual(attention);
  });
});

it('confirms money that arrived, and settles only the whole', () => {
  const states: PaymentState[] = [
    'paid',
    'overpaid',
    'paid_late',
    'partially_paid',
    'under_review',
    'refunded',
    'awaiting',
  ];
  expect(states.filter(isConfirmed)).toEqual(['paid', 'overpaid', 'paid_late', 'partially_paid']);
  expect(states.filter(isSettled)).toEqual(['paid', 'overpaid', 'paid_late']);
});
