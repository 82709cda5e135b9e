import { expect, it } from 'vitest';
import type { PaymentState } from '#contract/domains/payments.ts';
import { requestStatusOf } from './request-status.policy.ts';

it.each<[PaymentState[], string, string]>([
  [[], 'incomplete', 'pending'],
  [['awaiting'], 'pending_payment', 'pending'],
  [['under_review'], 'pending_payment', 'pending'],
  [['failed', 'awaiting'], 'pending_payment', 'failed'],
  [['expired'], 'pending_payment', 'failed'],
  [['refunded'], 'pending_payment', 'failed'],
  [['awaiting', 'failed'], 'pending_payment', 'pending'],
  [['awaiting', 'paid'], 'completed', 'completed'],
  [['partially_paid'], 'completed', 'completed'],
])('a request with orders %j is %s, its payment %s [AMB-46]', (states, status, paymentStatus) => {
  expect(requestStatusOf(states)).toEqual({ status, paymentStatus });
});
