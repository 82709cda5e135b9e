import { z } from 'zod';
import { moneyBack, paymentState, plan } from '../domains/payments.ts';
import { draftData, requestClosure, tokenProposal } from '../domains/token-requests.ts';
import { errors } from '../errors.ts';
import { TOKEN_NETWORKS } from '../networks.ts';
import { closeForm, closureKind } from './forms/token-requests.ts';
import { adminOrderPayments, adminPayment, paymentStage } from './payments.ts';
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
  /** The account that began it, or that confirmed its mailbox; null without one. */
  memberId: z.uuid().nullable(),
  telegram: z.string(),
  priceUsd: z.int(),
  priceSol: z.number().nullable(),
  status,
  paymentStatus,
  /** Payment stage of the current order. */
  paymentStage,
  /** Number and payment state of the current order; null before the first order. */
  orderId: z.string().nullable(),
  paymentState: paymentState.nullable(),
  /** Price of that order, amount received and shortfall in US dollars; null when there is no order. */
  orderedUsd: z.number().nullable(),
  receivedUsd: z.number().nullable(),
  missingUsd: z.number().nullable(),
  /** Of that order; null while nothing went back. */
  returned: moneyBack.nullable(),
  /** The admin who accepted the received amount as sufficient, and when; null when nobody did. */
  acceptedBy: z.string().nullable(),
  acceptedAt: z.iso.datetime().nullable(),
  /** True when one of its payments needs attention. */
  attention: z.boolean(),
  /** State of its token creation; null before it is ordered. */
  creationState: creationState.nullable(),
  /** How the team closed it; null when it is open. */
  closedAs: closureKind.nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type AdminTokenRequestRow = z.infer<typeof row>;

/** Timeline of a request and its payments, newest first. */
const timelineEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** An action of the audit log, a callback, or a status of a deposit reported by the provider. */
  kind: z.enum(['act', 'webhook', 'seen']),
  /** Name of the action, or status of the deposit. */
  what: z.string(),
  orderId: z.string().nullable(),
  /** The actor; null for the system and for guests. */
  by: z.string().nullable(),
  /** Their account. */
  byId: z.uuid().nullable(),
  reason: z.string().nullable(),
  /** Changed values, in codes and figures. */
  details: z.record(z.string(), z.unknown()),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;

export const adminTokenRequest = row.extend({
  /** The form as submitted. */
  data: draftData,
  networkName: z.string().nullable(),
  /** The member who began it while signed in. */
  member: z.object({ id: z.uuid(), name: z.string().nullable(), email: z.string() }).nullable(),
  /** The customer's private page, with its key. */
  orderPath: z.string(),
  wallet: z.enum(['ok', 'unchecksummed', 'invalid', 'unchecked']),
  payments: z.array(adminPayment),
  /** Reason why the request cannot have its token created now; null when there is none. */
  notDeliverable: z.enum(['unpaid', 'not_accepted', 'closed', 'refund_claimed']).nullable(),
  /** How the team closed it; null when it is open. */
  closure: requestClosure.nullable(),
  /** True when it can be closed now. */
  closable: z.boolean(),
  /** The network for its creation; null for networks without token creation. */
  creatableOn: z.enum(TOKEN_NETWORKS).nullable(),
  creation: tokenCreation.nullable(),
  /** Confirmation requests to the payer about the token, newest first. */
  proposals: z.array(tokenProposal),
  approval: tokenApproval,
  /** The promised date of a delivery by hand. */
  deliverBy: z.iso.datetime().nullable(),
  timeline: z.array(timelineEntry),
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
        /** Only requests with payments that need attention. */
        attention: z.enum(['yes']).optional(),
      }),
    )
    .output(pageOf(row)),
  read: adminRead('/token-requests/{id}', 'A request for a token with its payments and history', ['support', 'finance'])
    .errors(missing)
    .input(anyRecord)
    .output(adminTokenRequest),
  /**
   * Closes a paid request that the signer creates no token for; the customer reads the note. It may open a refund, or record the
   * contract of what was bought: requires step-up.
   */
  close: adminWrite('POST', '/token-requests/{id}/close', 'Close a paid request', ['finance'])
    .errors({
      ...missing,
      STEP_UP_NEEDED: errors.STEP_UP_NEEDED,
      NOT_CLOSABLE: errors.NOT_CLOSABLE,
      REFUND_REFUSED: errors.REFUND_REFUSED,
      ADDRESS_INVALID: errors.ADDRESS_INVALID,
    })
    .input(closeInput)
    .output(z.object({ ok: z.literal(true) })),
  /** Revokes the private link and mails a new one to the order's mailbox. */
  replaceLink: adminWrite('POST', '/token-requests/{id}/link', 'Replace the private link of an order', ['finance'])
    .errors(missing)
    .input(anyRecord)
    .output(z.object({ mailed: z.boolean() })),
  reopen: adminWrite('POST', '/token-requests/{id}/reopen', 'Open a closed request again', ['finance'])
    .errors({
      ...missing,
      ALREADY_DONE: errors.ALREADY_DONE,
      REFUND_CLOSED: errors.REFUND_CLOSED,
      REFUND_CLAIMED: errors.REFUND_CLAIMED,
    })
    .input(anyRecord)
    .output(z.object({ ok: z.literal(true) })),
  ...adminOrderPayments,
  ...adminTokenCreation,
};
