import { z } from 'zod';
import { refund, refundState } from '../domains/refunds.ts';
import { errors } from '../errors.ts';
import { REPORT_NOTE_MAX } from '../limits.ts';
import { openRefundForm, sendRefundForm } from './forms/deliverables.ts';
import { adminRead, adminWrite, byProvenAdmin, listInput, pageOf, seenRecord } from './shared/list.ts';

export const adminRefund = refund.extend({
  version: z.int().positive(),
  requestId: z.uuid(),
  paymentId: z.uuid(),
  tokenName: z.string(),
  email: z.string(),
  openedBy: z.string().nullable(),
  sentBy: z.string().nullable(),
});
export type AdminRefund = z.infer<typeof adminRefund>;

const acting = {
  ...byProvenAdmin,
  NOT_FOUND: errors.NOT_FOUND,
  VERSION_CONFLICT: errors.VERSION_CONFLICT,
  REFUND_CLOSED: errors.REFUND_CLOSED,
  REFUND_REFUSED: errors.REFUND_REFUSED,
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
    .errors({ ...byProvenAdmin, NOT_FOUND: errors.NOT_FOUND, REFUND_REFUSED: errors.REFUND_REFUSED })
    .input(openRefundForm.extend({ paymentId: z.uuid() }))
    .output(adminRefund),
  /** Records that it was sent, with its transaction, or by the provider. Requires step-up. */
  send: adminWrite('POST', '/refunds/{id}/send', 'Say that a refund was sent', ['finance'])
    .errors({ ...acting, EVIDENCE_USED: errors.EVIDENCE_USED })
    .input(seenRecord.extend(sendRefundForm.shape))
    .output(adminRefund),
  /** Records that it will not be sent. Requires step-up. */
  withdraw: adminWrite('POST', '/refunds/{id}/withdraw', 'Withdraw a refund that was not sent', ['finance'])
    .errors(acting)
    .input(seenRecord.extend({ reason: z.string().trim().min(1).max(REPORT_NOTE_MAX) }))
    .output(adminRefund),
};
