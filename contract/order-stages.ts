import type { PaymentState } from './domains/payments.ts';
import type { OrderStage } from './domains/token-requests.ts';

/** Stage of an order in each state of its payment, until its token is created or the request is closed. */
export const STAGE_OF_PAYMENT: Readonly<Record<PaymentState, OrderStage>> = {
  awaiting: 'awaiting_payment',
  confirming: 'confirming',
  partially_paid: 'partially_paid',
  paid: 'paid',
  overpaid: 'paid',
  paid_late: 'paid',
  expired: 'expired',
  failed: 'failed',
  refunded: 'refunded',
  under_review: 'in_review',
};
