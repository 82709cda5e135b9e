import { z } from 'zod';
import { refund, refundState } from '../domains/refunds.ts';
import { errors } from '../errors.ts';
import { requiredText } from '../fields/schemas.ts';
import { REASON_MAX } from '../limits.ts';
import { openRefundForm, sendRefundForm } from './forms/deliverables.ts';
import { adminRead, adminWrite, byAdminAfterStepUp, listInput, pageOf, seenRecord } from './shared/list.ts';

export const adminRefund = refund.extend({
  version: z.int().positive(),
  requestId: z.uuid(),
  paymentId: z.uuid(),
  tokenName: z.string(),
  email: z.string(),
  /** The account that paid, or that confirmed the mailbox of a payer without one. */
  memberId: z.uuid().nullable(),
  openedBy: z.string().nullable(),
  sentBy: z.string().nullable(),
  /** Whether the reader sees the whole address: of a refund that was sent, and of one that they claimed, until the claim ends. */
  addressShown: z.boolean(),
  /** The claim of an open refund; `by` is null when that account was deleted. */
  claim: z
    .object({
      by: z.string().nullable(),
      mine: z.boolean(),
      at: z.iso.datetime(),
      until: z.iso.datetime(),
      /** Its time is over: another admin may release the refund. */
      over: z.boolean(),
    })
    .nullable(),
  /** The provider returned that money while the refund was claimed: it is not to be sent. */
  halted: z.boolean(),
});
export type AdminRefund = z.infer<typeof adminRefund>;

const acting = {
  ...byAdminAfterStepUp,
  NOT_FOUND: errors.NOT_FOUND,
  VERSION_CONFLICT: errors.VERSION_CONFLICT,
  REFUND_CLOSED: errors.REFUND_CLOSED,
  REFUND_REFUSED: errors.REFUND_REFUSED,
  REFUND_CLAIMED: errors.REFUND_CLAIMED,
};

/** Refunds. The team sends them by hand; every step is recorded and shown to the payer. */
export const adminRefunds = {
  list: adminRead('/refunds', 'Money that goes back', ['finance'])
    .input(
      listInput(['createdAt', 'updatedAt'], {
        state: refundState.optional(),
        open: z.enum(['yes']).optional(),
        request: z.uuid().optional(),
      }),
    )
    .output(pageOf(adminRefund)),
  /** Opens a refund for a payment; the payer is requested to provide an address. Requires step-up. */
  open: adminWrite('POST', '/refunds', 'Open a refund', ['finance'])
    .errors({ ...byAdminAfterStepUp, NOT_FOUND: errors.NOT_FOUND, REFUND_REFUSED: errors.REFUND_REFUSED })
    .input(openRefundForm.extend({ paymentId: z.uuid() }))
    .output(adminRefund),
  /**
   * Claims a refund, before it is paid: fetches its payment from the provider, and answers the whole address. Repeated by the same
   * person it begins anew. `unanswered`: also when the provider does not answer. Requires step-up.
   */
  claim: adminWrite('POST', '/refunds/{id}/claim', 'Claim a refund, to pay it', ['finance'])
    .errors(acting)
    .input(seenRecord.extend({ unanswered: z.boolean().default(false) }))
    .output(adminRefund),
  /**
   * Records that a claimed refund was not paid: by who claimed it, or by another admin once the claim's time is over. Ends a halted
   * refund. Requires step-up.
   */
  release: adminWrite('POST', '/refunds/{id}/release', 'Release a claimed refund that was not paid', ['finance'])
    .errors(acting)
    .input(seenRecord.extend({ reason: requiredText(1, REASON_MAX) }))
    .output(adminRefund),
  /** Records that it was sent, with its transaction, by who claimed it; or by the provider. Requires step-up. */
  send: adminWrite('POST', '/refunds/{id}/send', 'Say that a refund was sent', ['finance'])
    .errors({ ...acting, EVIDENCE_USED: errors.EVIDENCE_USED })
    .input(seenRecord.extend(sendRefundForm.shape))
    .output(adminRefund),
  /** Records that it will not be sent. Requires step-up. */
  withdraw: adminWrite('POST', '/refunds/{id}/withdraw', 'Withdraw a refund that was not sent', ['finance'])
    .errors(acting)
    .input(seenRecord.extend({ reason: requiredText(1, REASON_MAX) }))
    .output(adminRefund),
};
