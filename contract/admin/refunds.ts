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

/** Money that goes back. The team sends it by hand; every step is kept and shown to its payer. */
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
  /** Opens a case about a payment; its payer is asked for an address. Asks for a fresh proof. */
  open: adminWrite('POST', '/refunds', 'Open a refund', ['finance'])
    .errors({ ...byProvenAdmin, NOT_FOUND: errors.NOT_FOUND, REFUND_REFUSED: errors.REFUND_REFUSED })
    .input(openRefundForm.extend({ paymentId: z.uuid() }))
    .output(adminRefund),
  /** It was sent, with its transaction, or by the provider. Asks for a fresh proof. */
  send: adminWrite('POST', '/refunds/{id}/send', 'Say that a refund was sent', ['finance'])
    .errors({ ...acting, EVIDENCE_USED: errors.EVIDENCE_USED })
    .input(seenRecord.extend(sendRefundForm.shape))
    .output(adminRefund),
  /** It will not be sent. Asks for a fresh proof. */
  withdraw: adminWrite('POST', '/refunds/{id}/withdraw', 'Withdraw a refund that was not sent', ['finance'])
    .errors(acting)
    .input(seenRecord.extend({ reason: z.string().trim().min(1).max(REPORT_NOTE_MAX) }))
    .output(adminRefund),
};
