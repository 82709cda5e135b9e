import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { REFUND_CHAINS } from '../refund-assets.ts';

/** Minutes for which a claimed refund shows its address to whoever claimed it, and for which nobody else can release it. */
export const REFUND_CLAIM_MINUTES = 30;

export const refundState = z.enum([
  /** The payer has to provide an address. */
  'address_needed',
  /** The payer has to confirm the address with the mailed code. */
  'address_unconfirmed',
  /** The team has to send it. */
  'ready',
  'sent',
  /** Opened by mistake, or settled otherwise. */
  'withdrawn',
]);
export type RefundState = z.infer<typeof refundState>;
export const refundCause = z.enum(['payment', 'deliverable', 'cancelled', 'network']);

/** A refund with the data for its payer. */
export const refund = z.object({
  id: z.uuid(),
  /** Number for people. */
  number: z.string(),
  /** Number of the refunded order. */
  orderId: z.string(),
  cause: refundCause,
  /** Reason given by the team. */
  reason: z.string(),
  state: refundState,
  /** The payment provider's code of the coin. */
  asset: z.string(),
  chain: z.enum(REFUND_CHAINS),
  /** Exact decimal. */
  amount: z.string(),
  /** The same amount in the smallest unit of the asset. */
  units: z.string(),
  /** The payer's address. Shortened from its confirmation until the refund was sent: nobody pays what they did not claim. */
  address: z.string().nullable(),
  /** True while somebody of the team is paying it: its address can't be changed. */
  paying: z.boolean(),
  transaction: z.string().nullable(),
  /** True when the payment provider refunded it automatically. */
  byProvider: z.boolean(),
  simulation: z.boolean(),
  openedAt: z.iso.datetime(),
  addressAt: z.iso.datetime().nullable(),
  confirmedAt: z.iso.datetime().nullable(),
  sentAt: z.iso.datetime().nullable(),
  withdrawnAt: z.iso.datetime().nullable(),
  withdrawnReason: z.string().nullable(),
  /** 'returned': the payment provider returned that money on its own initiative; `withdrawnReason` is then empty. */
  withdrawnCause: z.enum(['team', 'returned']).nullable(),
});
export type Refund = z.infer<typeof refund>;

/** Id and key of the order's private link. */
const ofOrder = { id: z.uuid(), key: z.string().max(100), refundId: z.uuid() };
const own = {
  RATE_LIMITED: errors.RATE_LIMITED,
  NOT_FOUND: errors.NOT_FOUND,
  ORDER_LINK_ENDED: errors.ORDER_LINK_ENDED,
  REFUND_CLOSED: errors.REFUND_CLOSED,
};

export const refunds = {
  /** Sets the destination address and mails a code to the order's mailbox; a later address replaces an earlier one. */
  setAddress: oc
    .route({
      method: 'POST',
      path: '/orders/{id}/refunds/{refundId}/address',
      tags: ['refunds'],
      summary: 'Say where a refund goes',
    })
    .errors({ ...own, REFUND_REFUSED: errors.REFUND_REFUSED })
    .input(z.strictObject({ ...ofOrder, address: z.string().trim().min(1).max(128) }))
    .output(refund),
  /** Confirms the address with the mailed code. With the address that the payer saw, another one, set meanwhile, is refused. */
  confirmAddress: oc
    .route({
      method: 'POST',
      path: '/orders/{id}/refunds/{refundId}/confirm',
      tags: ['refunds'],
      summary: 'Confirm where a refund goes',
    })
    .errors({ ...own, REFUND_CODE: errors.REFUND_CODE, VERSION_CONFLICT: errors.VERSION_CONFLICT })
    .input(
      z.strictObject({ ...ofOrder, code: z.string().trim().max(20), address: z.string().trim().max(128).optional() }),
    )
    .output(refund),
};
