import type { PaymentState } from '#contract/domains/payments.ts';
import { isAtLeastPartPaid } from './reduce.policy.ts';

/** Status columns of a request, from its orders, newest first (AMB-46: incomplete, pending_payment, completed). */
export function requestStatusOf(states: PaymentState[]): {
  status: 'incomplete' | 'pending_payment' | 'completed';
  paymentStatus: 'pending' | 'completed' | 'failed';
} {
  const [newest] = states;
  if (newest === undefined) return { status: 'incomplete', paymentStatus: 'pending' };
  if (states.some(isAtLeastPartPaid)) return { status: 'completed', paymentStatus: 'completed' };
  const over = newest === 'failed' || newest === 'expired' || newest === 'refunded';
  return { status: 'pending_payment', paymentStatus: over ? 'failed' : 'pending' };
}
