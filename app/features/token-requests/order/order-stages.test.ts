import { expect, it } from 'vitest';
import type { Order } from '#contract/domains/token-requests.ts';
import { situationOf } from './order-stages.tsx';

const order = (stage: Order['stage'], state: string, refunds: { orderId: string; state: string }[]) =>
  ({
    stage,
    payment: { orderId: 'FL-1', state },
    accepted: false,
    closure: null,
    otherPayments: [],
    refunds,
  }) as unknown as Order;
const refund = (state: string, orderId = 'FL-1') => [{ orderId, state }];

it('does not ask for the rest of a payment while money of it goes back', () => {
  expect(situationOf(order('partially_paid', 'partially_paid', []))).toBe('partially_paid');
  expect(situationOf(order('partially_paid', 'partially_paid', refund('address_needed')))).toBe('going_back');
  expect(situationOf(order('partially_paid', 'partially_paid', refund('sent')))).toBe('going_back');
  expect(situationOf(order('partially_paid', 'partially_paid', refund('withdrawn')))).toBe('partially_paid');
  expect(situationOf(order('partially_paid', 'partially_paid', refund('sent', 'FL-2')))).toBe('partially_paid');
});

it('offers no new payment where the team, not the provider, sent the money back', () => {
  expect(situationOf(order('refunded', 'partially_paid', refund('sent')))).toBe('sent_back');
  expect(situationOf(order('refunded', 'refunded', []))).toBe('refunded');
});

it('asks nobody to write about a difference that is being given back', () => {
  expect(situationOf(order('paid', 'overpaid', []))).toBe('overpaid');
  expect(situationOf(order('paid', 'overpaid', refund('ready')))).toBe('paid');
});
