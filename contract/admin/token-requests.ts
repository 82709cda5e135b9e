import { z } from 'zod';
import { errors } from '../errors.ts';
import { REPORT_NOTE_MAX } from '../limits.ts';
import { creationFaults, TOKEN_NETWORKS } from '../token-form.ts';
import { draftData, orderDeposit, payment, paymentState, plan } from '../token-requests.ts';
import { adminRead, adminWrite, anyRecord, byProvenAdmin, listInput, pageOf } from './list.ts';

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
  /** Number of the order that counts, and where its payment stands; null before the first. */
  orderId: z.string().nullable(),
  paymentState: paymentState.nullable(),
  /** US dollars that a part payment is short of, while nobody took it for enough. */
  missingUsd: z.number().nullable(),
  /** Something about its payments waits for a person. */
  attention: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type AdminTokenRequestRow = z.infer<typeof row>;

/** An order of a request as the team sees it. */
const adminPayment = payment.extend({
  id: z.uuid(),
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
});
export type AdminPayment = z.infer<typeof adminPayment>;

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
  notDeliverable: z.enum(['unpaid', 'not_accepted']).nullable(),
  /** Where it can be made; null for networks on which we make none. */
  creatableOn: z.enum(TOKEN_NETWORKS).nullable(),
  timeline: z.array(happening),
});
export type AdminTokenRequest = z.infer<typeof adminTokenRequest>;

/** Everything that a token is made of, checked field by field by the rules that the form uses as well. */
const tokenInput = z
  .strictObject({
    requestId: z.string().trim().max(100),
    tokenName: z.string().trim().max(200),
    tokenSymbol: z.string().trim().max(100),
    network: z.enum(TOKEN_NETWORKS).default('solana'),
    /** As typed: digits only, because a number in JSON may have lost some. */
    totalSupply: z.string().trim().max(40).default('1000000000'),
    ownerWallet: z.string().trim().max(200),
    description: z.string().trim().max(10_000).default(''),
  })
  .superRefine((input, check) => {
    for (const [name, fault] of Object.entries(creationFaults(input)))
      check.addIssue({ code: 'custom', path: [name], message: fault });
  });

const missing = { NOT_FOUND: errors.NOT_FOUND };
const why = z.string().trim().min(1).max(REPORT_NOTE_MAX);
const paymentOf = z.strictObject({ paymentId: z.uuid() });

export const adminTokenRequests = {
  list: adminRead('/token-requests', 'Requests for tokens')
    .input(
      listInput(['createdAt', 'updatedAt', 'plan', 'priceUsd', 'status', 'paymentStatus'], {
        status: status.optional(),
        paymentStatus: paymentStatus.optional(),
        plan: plan.optional(),
        network: z.string().max(40).optional(),
        /** Payments in trouble only. */
        attention: z.enum(['yes']).optional(),
      }),
    )
    .output(pageOf(row)),
  read: adminRead('/token-requests/{id}', 'A request for a token with its payments and history')
    .errors(missing)
    .input(anyRecord)
    .output(adminTokenRequest),
  /** The request that a payment belongs to. */
  ofPayment: adminRead('/token-requests/payments/{paymentId}', 'The request of a payment')
    .errors(missing)
    .input(paymentOf)
    .output(z.object({ requestId: z.uuid() })),
  /** Asks the provider, at most every 10 seconds; written down whatever it says. */
  askProvider: adminWrite('POST', '/token-requests/payments/{paymentId}/check', 'Ask the provider about a payment')
    .errors(missing)
    .input(paymentOf)
    .output(z.object({ answer: z.enum(['paid', 'not_paid', 'unknown']) })),
  /** Takes what has arrived for enough. Asks for a fresh proof. */
  acceptPayment: adminWrite('POST', '/token-requests/payments/{paymentId}/accept', 'Accept a short or odd payment')
    .errors({ ...byProvenAdmin, ...missing, ALREADY_DONE: errors.ALREADY_DONE })
    .input(paymentOf.extend({ reason: why }))
    .output(z.object({ ok: z.literal(true) })),
  /** Writes into the history what was done elsewhere, such as a refund; changes no state. Asks for a fresh proof. */
  notePayment: adminWrite('POST', '/token-requests/payments/{paymentId}/note', 'Note what was done about a payment')
    .errors({ ...byProvenAdmin, ...missing })
    .input(paymentOf.extend({ kind: z.enum(['refund', 'other']), note: why }))
    .output(z.object({ ok: z.literal(true) })),
  /** Makes the token of a paid request on its chain; as long as no chain is connected it changes nothing and says so. */
  createToken: adminWrite('POST', '/token-requests/{requestId}/token', 'Make the token of a request')
    .errors({
      ...byProvenAdmin,
      ...missing,
      NOT_DELIVERABLE: errors.NOT_DELIVERABLE,
      CHAIN_UNAVAILABLE: errors.CHAIN_UNAVAILABLE,
    })
    .input(tokenInput)
    .output(z.object({ ok: z.literal(true) })),
};
