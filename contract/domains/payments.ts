import { z } from 'zod';
import type { PLANS } from '../limits.ts';

export const plan = z.enum(['entry', 'basic', 'standard', 'complete'] satisfies (keyof typeof PLANS)[]);
export type Plan = z.infer<typeof plan>;

export const paymentState = z.enum([
  'awaiting',
  'confirming',
  'partially_paid',
  'paid',
  'overpaid',
  'paid_late',
  'expired',
  'failed',
  'refunded',
  'under_review',
]);
export type PaymentState = z.infer<typeof paymentState>;

/** Status of the payment provider. */
export const providerStatus = z.enum([
  'waiting',
  'confirming',
  'confirmed',
  'sending',
  'partially_paid',
  'finished',
  'failed',
  'refunded',
  'expired',
  /** A provider status that we do not recognise; it needs attention. */
  'unknown',
]);

/** Amounts of a request that was paid in part, without an acceptance; null for all others. US dollars. */
export const partPayment = z.object({ receivedUsd: z.number(), missingUsd: z.number() });
export type PartPayment = z.infer<typeof partPayment>;

export const payment = z.object({
  /** Our order number; also the provider's order_id. */
  orderId: z.string(),
  plan,
  state: paymentState,
  /** Nothing more is owed: the full amount was received, or the team accepted the received amount. False for a part payment. */
  confirmed: z.boolean(),
  /** The provider's status of the relevant deposit; null before the payer chose a currency. */
  providerStatus: providerStatus.nullable(),
  /** The provider's id; null before the payer chose a currency. */
  paymentId: z.string().nullable(),
  /** URL of the provider's page; opened in a new tab. */
  paymentUrl: z.string(),
  payAddress: z.string().nullable(),
  payAmount: z.number().nullable(),
  payCurrency: z.string().nullable(),
  actuallyPaid: z.number().nullable(),
  /**
   * For a part payment: the outstanding amount in `payCurrency`, exact, to be copied. Null when money of several deposits arrived or is on
   * its way; `missingUsd` has what is missing then.
   */
  missingAmount: z.string().nullable(),
  priceAmount: z.int(),
  priceCurrency: z.literal('usd'),
  /** US dollars at the rate of the payment. */
  receivedUsd: z.number(),
  missingUsd: z.number(),
  /** The payment runs in the built-in simulation, without real money. */
  simulation: z.boolean(),
  expiresAt: z.iso.datetime(),
  /** Time of the provider's last response about it. */
  checkedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Payment = z.infer<typeof payment>;

/** 'part_paid': a part was received, without an acceptance. 'unknown': the provider could not be queried. */
export const paymentAnswer = z.enum(['paid', 'part_paid', 'not_paid', 'unknown']);
export type PaymentAnswer = z.infer<typeof paymentAnswer>;

/** A deposit reported by the provider for an order. */
export const orderDeposit = z.object({
  paymentId: z.string(),
  status: providerStatus,
  amount: z.number().nullable(),
  due: z.number().nullable(),
  currency: z.string().nullable(),
  /** False for a repeated deposit, or one of another coin or price; it needs attention until it is accepted. */
  counts: z.boolean(),
  /** True while the team accepts it: one that does not match the order then counts at its own price. */
  accepted: z.boolean(),
  /** True when the team recorded that it sent back all of it: nobody has to look at it. */
  sentBack: z.boolean(),
  /** Time by the provider's clock. */
  at: z.iso.datetime().nullable(),
});
export type OrderDeposit = z.infer<typeof orderDeposit>;

/**
 * Money of a payment of which some went back, sent by the team or returned by the provider. US dollars at the rate of its deposits, by the
 * money ledger: `receivedUsd` is all that arrived, also what went back since.
 */
export const moneyBack = z.object({ receivedUsd: z.number(), returnedUsd: z.number(), remainingUsd: z.number() });
export type MoneyBack = z.infer<typeof moneyBack>;

/** Another payment of the request that received money, whether it was replaced by a later one or not. */
export const otherPayment = z.object({
  orderId: z.string(),
  plan,
  priceUsd: z.int(),
  state: paymentState,
  /** True when a later payment replaced it, because the plan or its price changed. */
  replaced: z.boolean(),
  receivedUsd: z.number(),
  /** Null while nothing went back. */
  returned: moneyBack.nullable(),
  deposits: z.array(orderDeposit),
  simulation: z.boolean(),
});
export type OtherPayment = z.infer<typeof otherPayment>;

/** The payments of a request, as returned by a check of its status. */
export const knownPayments = z.object({
  answer: paymentAnswer,
  payment: payment.nullable(),
  /** The team sent back all money of `payment`: for the provider it is still paid, or under review, but nothing more is to be paid for it. */
  sentBack: z.boolean(),
  /** The token was changed since `payment` was opened, and nobody has begun to pay it: its page is for the former one, a new payment is needed. */
  tokenChanged: z.boolean(),
  /** Newest first; while one of them needs the team's attention, nothing else should be paid. */
  otherPayments: z.array(otherPayment),
});
export type KnownPayments = z.infer<typeof knownPayments>;
