import { expect, it } from 'vitest';
import type { Order } from '#contract/domains/token-requests.ts';
import { situationOf } from './order-stages.tsx';

const order = (stage: Order['stage'], state: string, refunds: object[], deposits: object[] = []) =>
  ({
    stage,
    payment: { orderId: 'FL-1', state },
    accepted: false,
    closure: null,
    otherPayments: [],
    refunds,
    deposits,
  }) as unknown as Order;
const refund = (state: string, orderId = 'FL-1') => [{ orderId, state }];

it('the rest of a payment is not requested while a refund of it is open or sent', () => {
  expect(situationOf(order('partially_paid', 'partially_paid', []))).toBe('partially_paid');
  expect(situationOf(order('partially_paid', 'partially_paid', refund('address_needed')))).toBe('going_back');
  expect(situationOf(order('partially_paid', 'partially_paid', refund('sent')))).toBe('going_back');
  expect(situationOf(order('partially_paid', 'partially_paid', refund('withdrawn')))).toBe('partially_paid');
  expect(situationOf(order('partially_paid', 'partially_paid', refund('sent', 'FL-2')))).toBe('partially_paid');
});

it('money sent back by the team and money returned by the provider are different situations', () => {
  expect(situationOf(order('refunded', 'partially_paid', refund('sent')))).toBe('sent_back');
  expect(situationOf(order('refunded', 'refunded', []))).toBe('refunded');
});

it('an overpaid order counts as paid while its difference is being refunded', () => {
  expect(situationOf(order('paid', 'overpaid', []))).toBe('overpaid');
  expect(situationOf(order('paid', 'overpaid', refund('ready')))).toBe('paid');
});

it('a payment whose refunds cover every deposit that is worth a refund is all going back', () => {
  const deposit = (amount: number, currency = 'eth', status = 'finished', due: number | null = null) => ({
    amount,
    currency,
    status,
    due,
  });
  const back = (amount: string, over: object = {}) => [
    { orderId: 'FL-1', state: 'ready', asset: 'eth', amount, byProvider: false, ...over },
  ];
  const paid = (refunds: object[], deposits: object[]) => situationOf(order('paid', 'paid', refunds, deposits));
  expect(paid(back('0.3'), [deposit(0.1), deposit(0.2)])).toBe('all_going_back');
  expect(paid(back('0.29'), [deposit(0.1), deposit(0.2)])).toBe('paid');
  expect(paid(back('0.3', { state: 'withdrawn' }), [deposit(0.3)])).toBe('paid');
  expect(paid(back('0.3', { orderId: 'FL-2' }), [deposit(0.3)])).toBe('paid');
  expect(paid(back('0.3'), [deposit(0.3), deposit(5, 'btc')])).toBe('paid');
  expect(paid(back('0.3'), [deposit(0.3), deposit(5, 'btc', 'refunded')])).toBe('all_going_back');
  // Less than a hundredth of what was due in another coin is not worth a refund.
  expect(paid(back('0.3'), [deposit(0.3), deposit(0.9, 'btc', 'partially_paid', 100)])).toBe('all_going_back');
  expect(paid(back('0.3'), [deposit(0.3), deposit(1, 'btc', 'partially_paid', 100)])).toBe('paid');
  expect(paid([], [])).toBe('paid');
});
