// The consequences of new facts about a payment: rule by rule.
import { describe, expect, it } from 'vitest';
import type { PaymentState } from '#contract/domains/payments.ts';
import type { Deposit } from '#server/providers/payments/port.ts';
import { add, deposit, START, TERMS } from '#tests/fixtures/deposits.ts';
import { decideChange, isPaid, newlyReturned } from './change.policy.ts';
import { EMPTY, type Fact, type KnownFacts, outcomeOf } from './reduce.policy.ts';

type Row = Parameters<typeof decideChange>[0];
type Others = Parameters<typeof decideChange>[3];

const seen = (one: Partial<Deposit> = {}): Fact => ({ type: 'seen', deposit: deposit(one) });
const ACCEPTED: Fact = { type: 'accepted', at: START, by: 'admin', reason: 'x', of: ['5'], ended: true };
const SUPERSEDED: Fact = { type: 'superseded', at: START };
const HALF = seen({ status: 'partially_paid', actuallyPaid: 1 });
const WAITING = seen({ status: 'waiting', actuallyPaid: 0 });
const FOREIGN = 'FL-0000000002';

/** Decides about new facts of a payment without known facts; `row` and `others` override the defaults. */
const decide = (facts: readonly Fact[], row: Partial<Row> = {}, others: Partial<Others> = {}) =>
  decideChange(
    {
      state: 'awaiting',
      knownFacts: EMPTY,
      confirmedAt: null,
      receiptAt: null,
      shortNoticeAt: null,
      reviewNoticeAt: null,
      ...row,
    },
    TERMS,
    facts,
    { foreign: new Set(), paid: false, ...others },
  );

describe('nothing more is owed', () => {
  const accepted = add(EMPTY, [HALF, ACCEPTED]);

  it.each<PaymentState>(['paid', 'overpaid', 'paid_late'])('when the payment is %s', (state) => {
    expect(isPaid({ state, knownFacts: EMPTY })).toBe(true);
  });

  it('when it is partly paid and the team accepted that, but not without the acceptance', () => {
    expect(isPaid({ state: 'partially_paid', knownFacts: accepted })).toBe(true);
    expect(isPaid({ state: 'partially_paid', knownFacts: add(EMPTY, [HALF]) })).toBe(false);
  });

  it.each<PaymentState>(['awaiting', 'confirming', 'under_review', 'failed', 'expired', 'refunded'])(
    'but never when the payment is %s, with or without an acceptance',
    (state) => {
      expect(isPaid({ state, knownFacts: EMPTY })).toBe(false);
      expect(isPaid({ state, knownFacts: accepted })).toBe(false);
    },
  );
});

describe('the facts that concern an order', () => {
  const others = { foreign: new Set([FOREIGN]) };

  it('are all but those about deposits of our other orders', () => {
    const own = seen();
    const stray = seen({ paymentId: '7', orderId: 'FL-0000000003' });
    const repeated = seen({ paymentId: '8', parentId: '5', orderId: null });
    const polled: Fact = { type: 'polled', at: START };
    const kept = [own, stray, repeated, polled];
    const { news, knownFacts } = decide([seen({ paymentId: '6', orderId: FOREIGN }), ...kept], {}, others);
    expect(news).toEqual(kept);
    expect(knownFacts).toEqual(add(EMPTY, kept));
  });

  it('are added to the known facts', () => {
    const known = add(EMPTY, [seen({ paymentId: '4', status: 'waiting', actuallyPaid: 0 })]);
    const { knownFacts, outcome } = decide([seen()], { knownFacts: known });
    expect(knownFacts).toEqual(add(known, [seen()]));
    expect(outcome).toEqual(outcomeOf(knownFacts, TERMS));
    expect(outcome.state).toBe('paid');
  });
});

describe('a request is paid twice', () => {
  it.each<[string, Fact]>([
    ['in full', seen()],
    ['in part', HALF],
  ])('when another order is paid and money for this one arrived %s', (_, fact) => {
    const { knownFacts, outcome } = decide([fact], {}, { paid: true });
    expect(knownFacts).toEqual(add(EMPTY, [fact, { type: 'paid_twice' }]));
    expect(outcome.attention).toContain('paid_twice');
  });

  it('only when money for this one is confirmed', () => {
    expect(decide([WAITING], {}, { paid: true }).knownFacts.paidTwice).toBe(false);
    expect(decide([seen({ priceAmount: 1 })], {}, { paid: true }).knownFacts.paidTwice).toBe(false);
  });

  it('only when another order is paid', () => {
    expect(decide([seen()]).knownFacts.paidTwice).toBe(false);
  });
});

describe('a payment', () => {
  it('has changed when its state differs from the previous one', () => {
    expect(decide([seen()]).changed).toBe(true);
    expect(decide([seen()], { state: 'paid' }).changed).toBe(false);
    expect(decide([WAITING]).changed).toBe(false);
  });

  it('is confirmed for the first time when money arrives, in full or in part, and never again', () => {
    expect(decide([seen()]).firstConfirmed).toBe(true);
    expect(decide([HALF]).firstConfirmed).toBe(true);
    expect(decide([seen()], { confirmedAt: new Date(START) }).firstConfirmed).toBe(false);
    expect(decide([WAITING]).firstConfirmed).toBe(false);
    expect(decide([WAITING], { confirmedAt: new Date(START) }).firstConfirmed).toBe(false);
  });
});

describe('the mails to the payer', () => {
  const NONE = { receipt: false, shortNotice: false, reviewNotice: false };
  const sent = new Date(START);
  const mails = (facts: readonly Fact[], row: Partial<Row> = {}) => decide(facts, row).mails;

  it.each<[string, Fact[]]>([
    ['paid', [seen()]],
    ['overpaid', [seen({ actuallyPaid: 3 })]],
    ['partly paid and accepted', [HALF, ACCEPTED]],
  ])('are a receipt, sent once, when the payment is %s', (_, facts) => {
    expect(mails(facts)).toEqual({ ...NONE, receipt: true });
    expect(mails(facts, { receiptAt: sent })).toEqual(NONE);
  });

  it('are a notice of the missing part, sent once, when the payment is partly paid', () => {
    expect(mails([HALF])).toEqual({ ...NONE, shortNotice: true });
    expect(mails([HALF], { shortNoticeAt: sent })).toEqual(NONE);
  });

  it.each<[string, Fact[]]>([
    ['does not match the order', [seen({ priceAmount: 1 })]],
    ['arrives for a superseded order', [seen(), SUPERSEDED]],
  ])('are a notice of the review, sent once, when money %s', (_, facts) => {
    expect(mails(facts)).toEqual({ ...NONE, reviewNotice: true });
    expect(mails(facts, { reviewNoticeAt: sent })).toEqual(NONE);
  });

  it.each<[string, Fact[]]>([
    ['nothing is known', []],
    ['a deposit waits for its money', [WAITING]],
    ['money is on its way', [seen({ status: 'confirming' })]],
    ['the provider returned the money', [seen({ status: 'refunded' })]],
  ])('are none when %s', (_, facts) => {
    expect(mails(facts)).toEqual(NONE);
    expect(mails(facts, { receiptAt: sent, shortNoticeAt: sent, reviewNoticeAt: sent })).toEqual(NONE);
  });

  it('are each sent independently of the others', () => {
    expect(mails([seen()], { shortNoticeAt: sent, reviewNoticeAt: sent })).toEqual({ ...NONE, receipt: true });
    expect(mails([HALF], { receiptAt: sent, reviewNoticeAt: sent })).toEqual({ ...NONE, shortNotice: true });
    const odd = [seen({ priceAmount: 1 })];
    expect(mails(odd, { receiptAt: sent, shortNoticeAt: sent })).toEqual({ ...NONE, reviewNotice: true });
  });
});

describe('the deposits that a change reports as returned', () => {
  const returning = (known: KnownFacts, ...ids: string[]) =>
    add(
      known,
      ids.map((paymentId) => seen({ paymentId, status: 'refunded' })),
    );

  it('are those that had money, each as it was before the change', () => {
    const before = add(EMPTY, [seen(), seen({ paymentId: '6', status: 'failed', actuallyPaid: 1 })]);
    expect(newlyReturned(before, returning(before, '5', '6'))).toEqual([
      deposit(),
      deposit({ paymentId: '6', status: 'failed', actuallyPaid: 1 }),
    ]);
  });

  it('do not include those that still have their money', () => {
    const before = add(EMPTY, [seen(), seen({ paymentId: '6' })]);
    expect(newlyReturned(before, returning(before, '6'))).toEqual([deposit({ paymentId: '6' })]);
    expect(newlyReturned(before, before)).toEqual([]);
  });

  it('do not include those that had no money, had been returned already, or were unknown before', () => {
    const before = add(EMPTY, [WAITING, seen({ paymentId: '6', status: 'refunded' })]);
    expect(newlyReturned(before, returning(before, '5', '6', '7'))).toEqual([]);
  });
});
