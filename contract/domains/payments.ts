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

/** What the provider calls it. */
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
  /** A word of the provider's that we don't know: a person looks at it. */
  'unknown',
]);

/** Of a request of which a part was paid and nobody took it for enough; null for every other one. US dollars. */
export const partPayment = z.object({ receivedUsd: z.number(), missingUsd: z.number() });
export type PartPayment = z.infer<typeof partPayment>;

export const payment = z.object({
  /** Our number for people; also the provider's order_id. */
  orderId: z.string(),
  plan,
  state: paymentState,
  /** Nothing more is owed: all of it arrived, or the team took what arrived for enough. False for a part payment. */
  confirmed: z.boolean(),
  /** As the provider says, of the deposit that counts; null before the payer chose a currency. */
  providerStatus: providerStatus.nullable(),
  /** The provider's own, null before the payer chose a currency. */
  paymentId: z.string().nullable(),
  /** The provider's page; open it in a new tab. */
  paymentUrl: z.string(),
  payAddress: z.string().nullable(),
  payAmount: z.number().nullable(),
  payCurrency: z.string().nullable(),
  actuallyPaid: z.number().nullable(),
  /** Of a part payment: what is still to be sent in `payCurrency`, exact, to be copied. */
  missingAmount: z.string().nullable(),
  priceAmount: z.int(),
  priceCurrency: z.literal('usd'),
  /** US dollars at the rate of the payment. */
  receivedUsd: z.number(),
  missingUsd: z.number(),
  /** Nothing of this is money: it runs in the built-in simulation. */
  simulation: z.boolean(),
  expiresAt: z.iso.datetime(),
  /** When the provider last answered about it. */
  checkedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Payment = z.infer<typeof payment>;

/** 'part_paid': a part arrived, and nobody took it for enough. 'unknown': the provider could not be asked. */
export const paymentAnswer = z.enum(['paid', 'part_paid', 'not_paid', 'unknown']);
export type PaymentAnswer = z.infer<typeof paymentAnswer>;

/** One deposit that the provider saw for an order. */
export const orderDeposit = z.object({
  paymentId: z.string(),
  status: providerStatus,
  amount: z.number().nullable(),
  due: z.number().nullable(),
  currency: z.string().nullable(),
  /** False: repeated, of another coin or another price; the team looks at it. */
  counts: z.boolean(),
  /** The provider's clock. */
  at: z.iso.datetime().nullable(),
});
export type OrderDeposit = z.infer<typeof orderDeposit>;

/** A payment of a request beside the one that counts, at which money arrived: replaced by another one, or paid as well. */
export const otherPayment = z.object({
  orderId: z.string(),
  plan,
  priceUsd: z.int(),
  state: paymentState,
  /** The payer chose another plan, and another payment took its place. */
  replaced: z.boolean(),
  receivedUsd: z.number(),
  deposits: z.array(orderDeposit),
  simulation: z.boolean(),
});
export type OtherPayment = z.infer<typeof otherPayment>;
