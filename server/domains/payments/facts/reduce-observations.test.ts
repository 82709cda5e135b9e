// Precedence between observations of a deposit, the amounts that the provider credited, and predicates of one deposit: rule by rule.
import { describe, expect, it } from 'vitest';
import type { Deposit, Outcome } from '#server/providers/payments/port.ts';
import { add, DAY, deposit, HOUR, START, TERMS } from '#tests/fixtures/deposits.ts';
import { isOutcomeKnown } from './credited.policy.ts';
import {
  centsOf,
  depositIds,
  depositsIn,
  EMPTY,
  type Fact,
  hasMoney,
  isFull,
  isSound,
  isUnderWay,
  type KnownFacts,
  knownOf,
  termsOf,
} from './reduce.policy.ts';

const seen = (one: Deposit): Fact => ({ type: 'seen', deposit: one });
/** The current observation after two, in either order. */
function standing(one: Partial<Deposit>, other: Partial<Deposit>): Deposit {
  const facts = [seen(deposit(one)), seen(deposit(other))];
  const knownFacts = add(EMPTY, facts);
  expect(depositsIn(add(EMPTY, facts.toReversed()))).toEqual(depositsIn(knownFacts));
  const [stands, ...others] = depositsIn(knownFacts);
  expect(others).toEqual([]);
  return stands as Deposit;
}

describe('the current one of two observations of a deposit', () => {
  it.each<[string, Partial<Deposit>, Partial<Deposit>]>([
    ['the earlier one, if both are finished', { updatedAt: START }, { updatedAt: START + 1 }],
    [
      'the earlier one, if both are refunded',
      { status: 'refunded', updatedAt: START },
      { status: 'refunded', updatedAt: START + 1 },
    ],
    [
      'the later one, if both are confirming',
      { status: 'confirming', updatedAt: START + 1 },
      { status: 'confirming', updatedAt: START },
    ],
    [
      'the one with the larger amount',
      { status: 'confirming', actuallyPaid: 1 },
      { status: 'confirming', actuallyPaid: 0.5 },
    ],
    [
      'the one with an amount, if the other has none',
      { status: 'confirming', actuallyPaid: 1 },
      { status: 'confirming', actuallyPaid: null },
    ],
    ['the one that matches the order', { status: 'waiting' }, { status: 'finished', priceAmount: 1 }],
    [
      'the one with the more advanced status, even if it is earlier',
      { status: 'finished', updatedAt: START },
      { status: 'sending', updatedAt: START + DAY },
    ],
    ['the same one in either order, if they differ only in other fields', { payAddress: 'b' }, { payAddress: 'a' }],
  ])('is %s', (_, counts, other) => {
    expect(standing(counts, other)).toEqual(deposit(counts));
  });

  it.each<[string, Partial<Deposit>, Partial<Deposit>]>([
    ['the later one', { updatedAt: START + 1, actuallyPaid: null }, { updatedAt: START, actuallyPaid: 2 }],
    ['the one with the larger amount at the same time', { actuallyPaid: 2 }, { actuallyPaid: 1 }],
    ['the one with an amount at the same time', { actuallyPaid: 2 }, { actuallyPaid: null }],
    ['the same one in either order, if they differ only in other fields', { rawStatus: 'b' }, { rawStatus: 'a' }],
  ])('with unrecognised statuses is %s', (_, counts, other) => {
    const unknown = { status: 'unknown' } as const;
    expect(standing({ ...unknown, ...counts }, { ...unknown, ...other })).toEqual(deposit({ ...unknown, ...counts }));
  });

  it('has an unrecognised status until a recognised one is reported later, or a final one at the same time', () => {
    const unknown = { status: 'unknown', updatedAt: START } as const;
    for (const [status, updatedAt, stands] of [
      ['confirming', START - 1, 'unknown'],
      ['finished', START - 1, 'unknown'],
      ['confirming', START, 'unknown'],
      ['sending', START, 'unknown'],
      ['failed', START, 'failed'],
      ['finished', START, 'finished'],
      ['confirming', START + 1, 'confirming'],
    ] as const)
      expect(standing(unknown, { status, updatedAt }).status, `${status} ${updatedAt - START}`).toBe(stands);
  });

  it('is found separately for recognised and unrecognised statuses, and listed once per deposit', () => {
    const [known, unknown] = [deposit({ status: 'confirming' }), deposit({ status: 'unknown' })];
    const knownFacts = add(EMPTY, [seen(known), seen(unknown), seen(deposit({ paymentId: '6', status: 'unknown' }))]);
    expect(knownOf(knownFacts, deposit({ status: 'finished' }))).toEqual(known);
    expect(knownOf(knownFacts, deposit({ status: 'unknown' }))).toEqual(unknown);
    expect(knownOf(knownFacts, deposit({ paymentId: '6' }))).toBeUndefined();
    expect(depositIds(knownFacts).toSorted()).toEqual(['5', '6']);
    expect(depositIds(EMPTY)).toEqual([]);
    expect(depositsIn(EMPTY)).toEqual([]);
  });
});

describe('the amount that the provider credited', () => {
  const credited = (amount: string, over: Partial<Outcome> = {}): Outcome => ({
    amount,
    currency: 'usdt',
    payinHash: null,
    payoutHash: null,
    fee: null,
    ...over,
  });
  const say = (outcome: Outcome | undefined, updatedAt: number, paymentId = '5'): Fact =>
    seen(deposit({ paymentId, updatedAt, ...(outcome ? { outcome } : {}) }));
  const outcomesAfter = (...facts: Fact[]): KnownFacts['outcomes'] => {
    const { outcomes } = add(EMPTY, facts);
    expect(add(EMPTY, facts.toReversed()).outcomes).toEqual(outcomes);
    return outcomes;
  };

  it('is that of the latest report, the same for simultaneous ones in any order, and stored per deposit', () => {
    expect(outcomesAfter(say(credited('1'), START), say(credited('2'), START + 1))).toEqual({
      5: { ...credited('2'), at: START + 1 },
    });
    expect(outcomesAfter(say(credited('3'), START), say(credited('2'), START + 1))).toEqual({
      5: { ...credited('2'), at: START + 1 },
    });
    expect(outcomesAfter(say(credited('1'), START), say(credited('2'), START))).toEqual({
      5: { ...credited('2'), at: START },
    });
    expect(outcomesAfter(say(credited('1'), START), say(undefined, START + 1))).toEqual({
      5: { ...credited('1'), at: START },
    });
    expect(Object.keys(outcomesAfter(say(credited('1'), START), say(credited('2'), START, '6')))).toEqual(['5', '6']);
    expect(EMPTY.outcomes).toEqual({});
  });

  it('is also stored for a deposit in an unknown state, and is not part of the observation', () => {
    const knownFacts = add(EMPTY, [seen(deposit({ status: 'unknown', outcome: credited('1'), description: 'x' }))]);
    expect(knownFacts.outcomes['5']).toEqual({ ...credited('1'), at: START + HOUR });
    expect(depositsIn(knownFacts)).toEqual([deposit({ status: 'unknown' })]);
  });

  it('is known when amount and currency equal the stored ones, or when none is reported', () => {
    const knownFacts = add(EMPTY, [say(credited('1'), START)]);
    const known = (outcome?: Outcome) => isOutcomeKnown(knownFacts, deposit(outcome ? { outcome } : {}));
    expect(known(credited('1', { payinHash: '0x1' }))).toBe(true);
    expect(known(credited('2'))).toBe(false);
    expect(known(credited('1', { currency: 'btc' }))).toBe(false);
    expect(known()).toBe(true);
    expect(isOutcomeKnown(EMPTY, deposit({ outcome: credited('1') }))).toBe(false);
  });
});

describe('a deposit', () => {
  it('matches an order only with its number, price and currency, and never as a repeated deposit', () => {
    expect(isSound(deposit(), TERMS)).toBe(true);
    for (const over of [{ parentId: '4' }, { orderId: 'FL-0000000002' }, { priceAmount: 1 }, { priceCurrency: 'eur' }])
      expect(isSound(deposit(over), TERMS), JSON.stringify(over)).toBe(false);
  });

  it('is full when it is finished with at least the amount due, and that amount is not zero', () => {
    const full = (over: Partial<Deposit>) => isFull(deposit(over));
    expect(full({})).toBe(true);
    expect(full({ actuallyPaid: 2.5 })).toBe(true);
    expect(full({ payAmount: 0, actuallyPaid: 0 })).toBe(false);
    expect(full({ payAmount: 0, actuallyPaid: 1 })).toBe(false);
    expect(full({ payAmount: null })).toBe(false);
    expect(full({ actuallyPaid: null })).toBe(false);
    expect(full({ status: 'sending' })).toBe(false);
  });

  it.each<[Partial<Deposit>, boolean]>([
    [{ status: 'partially_paid', actuallyPaid: null }, true],
    [{ status: 'finished', actuallyPaid: null }, true],
    [{ status: 'waiting', actuallyPaid: 0.1 }, true],
    [{ status: 'failed', actuallyPaid: 0.1 }, true],
    [{ status: 'waiting', actuallyPaid: 0 }, false],
    [{ status: 'waiting', actuallyPaid: null }, false],
    [{ status: 'refunded', actuallyPaid: 2 }, false],
  ])('%j has money: %s', (over, has) => {
    expect(hasMoney(deposit(over))).toBe(has);
  });

  it('is worth its share of the price, also when the amount due is below the smallest unit', () => {
    expect(centsOf(deposit({ actuallyPaid: 0.5 }), 300_000n)).toBe(75_000n);
    expect(centsOf(deposit({ payAmount: 1e-20, payText: '0.00000000000000000001', actuallyPaid: 1 }), 300_000n)).toBe(
      300_000_000n,
    );
    expect(centsOf(deposit({ payAmount: 0, actuallyPaid: 1 }), 300_000n)).toBe(0n);
    expect(centsOf(deposit({ payAmount: null, actuallyPaid: 1 }), 300_000n)).toBe(0n);
    // The digits that the provider wrote count, not their binary fraction.
    expect(centsOf(deposit({ payText: '4', paidText: '1' }), 300_000n)).toBe(75_000n);
  });

  it('is under way while it is confirming, confirmed or sending', () => {
    const underWay = (status: Deposit['status']) => isUnderWay(add(EMPTY, [seen(deposit({ status }))]));
    expect((['confirming', 'confirmed', 'sending'] as const).map(underWay)).toEqual([true, true, true]);
    expect((['waiting', 'finished', 'failed', 'refunded', 'unknown'] as const).some(underWay)).toBe(false);
    expect(isUnderWay(EMPTY)).toBe(false);
  });
});

it('the terms are the fields of the payment’s row, with its end in milliseconds', () => {
  const row = { orderId: 'FL-0000000001', priceUsd: 3_000, expiresAt: new Date(START), rest: 'x' };
  expect(termsOf(row)).toEqual({ orderId: 'FL-0000000001', priceUsd: 3_000, expiresAt: START });
});
