import { z } from 'zod';
import { orderDeposit, payment, paymentAnswer } from '../domains/payments.ts';
import { errors } from '../errors.ts';
import { REPORT_NOTE_MAX } from '../limits.ts';
import { adminRead, adminWrite, byProvenAdmin } from './shared/list.ts';

/** Where the payment of a request stands for the team: never 'paid' for what is short or went back, never 'failed' for what ran out. */
export const paymentStage = z.enum([
  'pending',
  'under_review',
  'part_paid',
  'paid',
  'accepted',
  'failed',
  'expired',
  'refunded',
]);
export type PaymentStage = z.infer<typeof paymentStage>;

/** An order of a request as the team sees it. */
export const adminPayment = payment.extend({
  id: z.uuid(),
  stage: paymentStage,
  /** The one that is offered to the payer now. */
  isCurrent: z.boolean(),
  invoiceId: z.string().nullable(),
  confirmedAt: z.iso.datetime().nullable(),
  /** Why a person should look at it: codes of the payment rules. */
  attention: z.array(z.string()),
  /** Who took for enough what had arrived; null when nobody did, or that money went back since. */
  accepted: z.object({ by: z.string().nullable(), at: z.iso.datetime(), reason: z.string() }).nullable(),
  /** This payment alone lets the token be made. */
  delivers: z.boolean(),
  /** Something arrived, and an acceptance would change something. */
  acceptable: z.boolean(),
  deposits: z.array(orderDeposit),
  /** What an admin signs so that the signer takes this money for enough; null while nothing arrived. */
  statement: z.string().nullable(),
  /** Signatures that were brought for it. */
  signatures: z.array(z.object({ publicKey: z.string(), at: z.iso.datetime() })),
});
export type AdminPayment = z.infer<typeof adminPayment>;

const missing = { NOT_FOUND: errors.NOT_FOUND };
const why = z.string().trim().min(1).max(REPORT_NOTE_MAX);
const paymentOf = z.strictObject({ paymentId: z.uuid() });

/** Under `admin.tokenRequests`: payments are reached through the request that they are for. */
export const adminPayments = {
  /** The request that a payment belongs to. */
  ofPayment: adminRead('/token-requests/payments/{paymentId}', 'The request of a payment', ['support', 'finance'])
    .errors(missing)
    .input(paymentOf)
    .output(z.object({ requestId: z.uuid() })),
  /** Asks the provider, at most every 10 seconds; written down whatever it says. `answered`: its last question was answered whole. */
  checkPayment: adminWrite('POST', '/token-requests/payments/{paymentId}/check', 'Ask the provider about a payment', [
    'finance',
  ])
    .errors(missing)
    .input(paymentOf)
    .output(z.object({ answer: paymentAnswer, answered: z.boolean() })),
  /** Takes what has arrived for enough. Asks for a fresh proof. */
  acceptPayment: adminWrite('POST', '/token-requests/payments/{paymentId}/accept', 'Accept a short or odd payment', [
    'finance',
  ])
    .errors({ ...byProvenAdmin, ...missing, ALREADY_DONE: errors.ALREADY_DONE })
    .input(paymentOf.extend({ reason: why }))
    .output(z.object({ ok: z.literal(true) })),
  /** Brings what `florka admin sign` printed about this payment's statement: the signer decides by it. Asks for a fresh proof. */
  addAcceptance: adminWrite('POST', '/token-requests/payments/{paymentId}/acceptance', 'Bring a signed acceptance', [
    'finance',
  ])
    .errors({
      ...byProvenAdmin,
      ...missing,
      ALREADY_DONE: errors.ALREADY_DONE,
      ACCEPTANCE_REFUSED: errors.ACCEPTANCE_REFUSED,
    })
    .input(paymentOf.extend({ signed: z.string().trim().min(1).max(12_000) }))
    .output(z.object({ ok: z.literal(true) })),
  /** Writes into the history what was said or done elsewhere; changes no state. Money that goes back is a refund. */
  notePayment: adminWrite('POST', '/token-requests/payments/{paymentId}/note', 'Note what was done about a payment', [
    'finance',
  ])
    .errors({ ...byProvenAdmin, ...missing })
    .input(paymentOf.extend({ note: why }))
    .output(z.object({ ok: z.literal(true) })),
};
