import { describe, expect, it } from 'vitest';
import type { Deposit } from '#server/providers/payments/port.ts';
import { add, deposit, HOUR, START, TERMS } from '#tests/fixtures/deposits.ts';
import { EMPTY, type Fact, outcomeOf } from './reduce.policy.ts';

const seen = (one: Partial<Deposit>): Fact => ({ type: 'seen', deposit: deposit(one) });
const HALF = { status: 'partially_paid', actuallyPaid: 1 } as const;
const REPEATED = { paymentId: '9', parentId: '5', orderId: null } as const;

describe('the deposit that is shown', () => {
  it.each<[string, Fact[], string | null]>([
    ['none', [], null],
    ['none for this order', [seen(REPEATED)], null],
    ['the full one', [seen({ ...HALF, paymentId: '8' }), seen({})], '5'],
    ['the short one', [seen({ paymentId: '8', status: 'waiting', actuallyPaid: 0 }), seen(HALF)], '5'],
    [
      'the refunded one',
      [seen({ status: 'refunded' }), seen({ paymentId: '8', status: 'waiting', actuallyPaid: 0 })],
      '5',
    ],
    [
      'the one on its way, rather than one that went back',
      [seen({ paymentId: '8', status: 'refunded' }), seen({ status: 'confirming' })],
      '5',
    ],
    [
      'or one that failed',
      [seen({ paymentId: '8', status: 'failed', actuallyPaid: 0 }), seen({ status: 'sending' })],
      '5',
    ],
    ['the one that came further', [seen({ paymentId: '8', status: 'waiting' }), seen({ status: 'confirming' })], '5'],
    [
      'of two the one touched last',
      [seen({ status: 'confirming', updatedAt: START + 2 * HOUR }), seen({ paymentId: '8', status: 'confirming' })],
      '5',
    ],
    [
      'of two equal ones always the same',
      [seen({ paymentId: '8', status: 'confirming' }), seen({ status: 'confirming' })],
      '8',
    ],
    [
      'also where they have no numbers',
      [seen({ paymentId: 'b', status: 'confirming' }), seen({ paymentId: 'a', status: 'confirming' })],
      'b',
    ],
  ])('%s', (_, facts, id) => {
    const shown = id === null ? null : expect.objectContaining({ paymentId: id });
    for (const order of [facts, facts.toReversed()]) expect(outcomeOf(add(EMPTY, order), TERMS).main).toEqual(shown);
  });
});
