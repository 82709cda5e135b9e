import { z } from 'zod';
import { moneyBack, orderDeposit, payment, paymentAnswer } from '../domains/payments.ts';
import { errors } from '../errors.ts';
import { requiredText } from '../fields/schemas.ts';
import { REASON_MAX } from '../limits.ts';
import { adminRead, adminWrite, byAdminAfterStepUp } from './shared/list.ts';

/** The team's view of a request's payment: never 'paid' when money is missing or was refunded, never 'failed' when it expired. */
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

/** An order of a request, with the data for the team. */
export const adminPayment = payment.extend({
  id: z.uuid(),
  stage: paymentStage,
  /** Null while nothing went back. */
  returned: moneyBack.nullable(),
  /** The order that the payer is offered now. */
  isCurrent: z.boolean(),
  invoiceId: z.string().nullable(),
  confirmedAt: z.iso.datetime().nullable(),
  /** Reasons why the payment needs attention: codes of the payment rules. */
  attention: z.array(z.string()),
  /** The admin who accepted the received amount as sufficient; null when nobody did, or when that money was refunded since. */
  accepted: z.object({ by: z.string().nullable(), at: z.iso.datetime(), reason: z.string() }).nullable(),
  /** This payment alone is sufficient for the token to be created. */
  delivers: z.boolean(),
  /** Money was received, and accepting it would change the state. */
  acceptable: z.boolean(),
  deposits: z.array(orderDeposit),
  /** The statement that an admin signs so that the signer accepts the received amount; null while nothing was received. */
  statement: z.string().nullable(),
  /** Signatures submitted for the statement. */
  signatures: z.array(z.object({ publicKey: z.string(), at: z.iso.datetime() })),
});
export type AdminPayment = z.infer<typeof adminPayment>;

const missing = { NOT_FOUND: errors.NOT_FOUND };
const why = requiredText(1, REASON_MAX);
const paymentOf = z.strictObject({ paymentId: z.uuid() });

/** Mounted as `admin.tokenRequests`: payments are reached through their request. */
export const adminOrderPayments = {
  /** The request that a payment belongs to. */
  ofPayment: adminRead('/token-requests/payments/{paymentId}', 'The request of a payment', ['support', 'finance'])
    .errors(missing)
    .input(paymentOf)
    .output(z.object({ requestId: z.uuid() })),
  /** Queries the provider, at most every 10 seconds; the response is recorded. `answered`: the last query got a complete response. */
  checkPayment: adminWrite('POST', '/token-requests/payments/{paymentId}/check', 'Ask the provider about a payment', [
    'finance',
  ])
    .errors(missing)
    .input(paymentOf)
    .output(z.object({ answer: paymentAnswer, answered: z.boolean() })),
  /** Accepts the received amount as sufficient. Requires step-up. */
  acceptPayment: adminWrite('POST', '/token-requests/payments/{paymentId}/accept', 'Accept a short or odd payment', [
    'finance',
  ])
    .errors({ ...byAdminAfterStepUp, ...missing, ALREADY_DONE: errors.ALREADY_DONE })
    .input(paymentOf.extend({ reason: why }))
    .output(z.object({ ok: z.literal(true) })),
  /** Submits the signature that `florka admin sign` printed for this payment's statement; the signer verifies it. Requires step-up. */
  addAcceptance: adminWrite('POST', '/token-requests/payments/{paymentId}/acceptance', 'Bring a signed acceptance', [
    'finance',
  ])
    .errors({
      ...byAdminAfterStepUp,
      ...missing,
      ALREADY_DONE: errors.ALREADY_DONE,
      ACCEPTANCE_REFUSED: errors.ACCEPTANCE_REFUSED,
    })
    .input(paymentOf.extend({ signed: z.string().trim().min(1).max(12_000) }))
    .output(z.object({ ok: z.literal(true) })),
  /**
   * Adds a note to the history about something done elsewhere. It also confirms that the team is aware of money that the provider
   * returned, unless an open refund in that coin will; it changes no state of the payment. Requires step-up.
   */
  notePayment: adminWrite('POST', '/token-requests/payments/{paymentId}/note', 'Note what was done about a payment', [
    'finance',
  ])
    .errors({ ...byAdminAfterStepUp, ...missing })
    .input(paymentOf.extend({ note: why }))
    .output(z.object({ ok: z.literal(true) })),
};
