import { describe, expect, it } from 'vitest';
import type { Deposit } from '#server/providers/payments/port.ts';
import { add, deposit, HOUR, START, TERMS } from '#tests/fixtures/deposits.ts';
import { EMPTY, type Fact, outcomeOf } from './reduce.policy.ts';

const seen = (one: Partial<Deposit>): Fact => ({ type: 'seen', deposit: deposit(one) });
const HALF = { status: 'partially_paid', actuallyPaid: 1 } as const;
const REPEATED = { paymentId: '9', parentId: '5', orderId: null } as const;

describe('the deposit that is shown', () => {
  it.each<[string, Fact[], string | null]>([
    ['none without deposits', [], null],
    ['none if all are repeated deposits', [seen(REPEATED)], null],
    ['the full one rather than a short one', [seen({ ...HALF, paymentId: '8' }), seen({})], '5'],
    [
      'the short one rather than a waiting one',
      [seen({ paymentId: '8', status: 'waiting', actuallyPaid: 0 }), seen(HALF)],
      '5',
    ],
    [
      'the refunded one rather than a waiting one',
      [seen({ status: 'refunded' }), seen({ paymentId: '8', status: 'waiting', actuallyPaid: 0 })],
      '5',
    ],
    [
      'the one on its way rather than a refunded one',
      [seen({ paymentId: '8', status: 'refunded' }), seen({ status: 'confirming' })],
      '5',
    ],
    [
      'the one on its way rather than a failed one',
      [seen({ paymentId: '8', status: 'failed', actuallyPaid: 0 }), seen({ status: 'sending' })],
      '5',
    ],
    [
      'the confirming one rather than a waiting one',
      [seen({ paymentId: '8', status: 'waiting' }), seen({ status: 'confirming' })],
      '5',
    ],
    [
      'the one updated last of two in the same status',
      [seen({ status: 'confirming', updatedAt: START + 2 * HOUR }), seen({ paymentId: '8', status: 'confirming' })],
      '5',
    ],
    [
      'the one with the larger id of two equal ones',
      [seen({ paymentId: '8', status: 'confirming' }), seen({ status: 'confirming' })],
      '8',
    ],
    [
      'the one with the larger id, also if ids are not numbers',
      [seen({ paymentId: 'b', status: 'confirming' }), seen({ paymentId: 'a', status: 'confirming' })],
      'b',
    ],
  ])('is %s', (_, facts, id) => {
    const shown = id === null ? null : expect.objectContaining({ paymentId: id });
    for (const order of [facts, facts.toReversed()]) expect(outcomeOf(add(EMPTY, order), TERMS).main).toEqual(shown);
  });
});
