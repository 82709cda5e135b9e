import { z } from 'zod';
import { paymentState, plan } from '../domains/payments.ts';
import { draftData, requestClosure, tokenProposal } from '../domains/token-requests.ts';
import { errors } from '../errors.ts';
import { TOKEN_NETWORKS } from '../fields/token-form.ts';
import { closeForm, closureKind } from './forms/token-requests.ts';
import { adminPayment, adminPayments, paymentStage } from './payments.ts';
import { adminRead, adminWrite, anyRecord, listInput, pageOf } from './shared/list.ts';
import { adminTokenCreation, creationState, tokenApproval, tokenCreation } from './token-creation.ts';

const closeInput = closeForm.safeExtend({ id: z.uuid() });
export type CloseInput = z.infer<typeof closeInput>;

const status = z.enum(['incomplete', 'pending_payment', 'completed']);
const paymentStatus = z.enum(['pending', 'completed', 'failed']);

const row = z.object({
  id: z.uuid(),
  plan,
  tokenName: z.string(),
  tokenSymbol: z.string(),
  network: z.string(),
  ownerWallet: z.string(),
  email: z.string(),
  telegram: z.string(),
  priceUsd: z.int(),
  priceSol: z.number().nullable(),
  status,
  paymentStatus,
  /** Where the order that counts stands. */
  paymentStage,
  /** Number of the order that counts, and where its payment stands; null before the first. */
  orderId: z.string().nullable(),
  paymentState: paymentState.nullable(),
  /** What that order costs, what arrived for it and what is short of it: US dollars; null while there is no order. */
  orderedUsd: z.number().nullable(),
  receivedUsd: z.number().nullable(),
  missingUsd: z.number().nullable(),
  /** Who took for enough what had arrived, and when; null when nobody did. */
  acceptedBy: z.string().nullable(),
  acceptedAt: z.iso.datetime().nullable(),
  /** Something about its payments waits for a person. */
  attention: z.boolean(),
  /** Of its token; null before somebody ordered it. */
  creationState: creationState.nullable(),
  /** How the team closed it; null while it is open. */
  closedAs: closureKind.nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type AdminTokenRequestRow = z.infer<typeof row>;

/** What happened to a request and its payments, newest first. */
const happening = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** An act of the audit log, a callback, or what the provider said of a deposit. */
  kind: z.enum(['act', 'webhook', 'seen']),
  /** The act's name, or the deposit's status. */
  what: z.string(),
  orderId: z.string().nullable(),
  /** Who; null for the system and for guests. */
  by: z.string().nullable(),
  reason: z.string().nullable(),
  /** What differs, in codes and figures. */
  details: z.record(z.string(), z.unknown()),
});
export type Happening = z.infer<typeof happening>;

export const adminTokenRequest = row.extend({
  /** The form as it was filled in. */
  data: draftData,
  networkName: z.string().nullable(),
  /** Of the member who began it while signed in. */
  member: z.object({ id: z.uuid(), name: z.string().nullable(), email: z.string() }).nullable(),
  /** The customer's private page, with its key. */
  orderPath: z.string(),
  wallet: z.enum(['ok', 'unchecksummed', 'invalid', 'unchecked']),
  payments: z.array(adminPayment),
  /** Nothing, or what stands between the request and its token. */
  notDeliverable: z.enum(['unpaid', 'not_accepted', 'closed']).nullable(),
  /** How the team closed it; null while it is open. */
  closure: requestClosure.nullable(),
  /** It may be closed now. */
  closable: z.boolean(),
  /** Where it can be made; null for networks on which we make none. */
  creatableOn: z.enum(TOKEN_NETWORKS).nullable(),
  creation: tokenCreation.nullable(),
  /** What the payer was asked about the token, newest first. */
  proposals: z.array(tokenProposal),
  approval: tokenApproval,
  /** Until when the payer was promised a delivery by hand. */
  deliverBy: z.iso.datetime().nullable(),
  timeline: z.array(happening),
});
export type AdminTokenRequest = z.infer<typeof adminTokenRequest>;

const missing = { NOT_FOUND: errors.NOT_FOUND };
export const adminTokenRequests = {
  list: adminRead('/token-requests', 'Requests for tokens', ['support', 'finance'])
    .input(
      listInput(['createdAt', 'updatedAt', 'plan', 'priceUsd', 'status', 'paymentStatus'], {
        status: status.optional(),
        paymentStatus: paymentStatus.optional(),
        paymentStage: paymentStage.optional(),
        plan: plan.optional(),
        network: z.string().max(40).optional(),
        /** Payments in trouble only. */
        attention: z.enum(['yes']).optional(),
      }),
    )
    .output(pageOf(row)),
  read: adminRead('/token-requests/{id}', 'A request for a token with its payments and history', ['support', 'finance'])
    .errors(missing)
    .input(anyRecord)
    .output(adminTokenRequest),
  /** Ends a paid request without a token of the signer; its customer reads the note. */
  close: adminWrite('POST', '/token-requests/{id}/close', 'Close a paid request', ['finance'])
    .errors({ ...missing, NOT_CLOSABLE: errors.NOT_CLOSABLE, REFUND_REFUSED: errors.REFUND_REFUSED })
    .input(closeInput)
    .output(z.object({ ok: z.literal(true) })),
  /** Ends the private link and mails another one to the order's mailbox. */
  replaceLink: adminWrite('POST', '/token-requests/{id}/link', 'Replace the private link of an order', ['finance'])
    .errors(missing)
    .input(anyRecord)
    .output(z.object({ mailed: z.boolean() })),
  reopen: adminWrite('POST', '/token-requests/{id}/reopen', 'Open a closed request again', ['finance'])
    .errors({ ...missing, ALREADY_DONE: errors.ALREADY_DONE, REFUND_CLOSED: errors.REFUND_CLOSED })
    .input(anyRecord)
    .output(z.object({ ok: z.literal(true) })),
  ...adminPayments,
  ...adminTokenCreation,
};
