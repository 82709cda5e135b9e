import { oc } from '@orpc/contract';
import { z } from 'zod';
import { dueFrom } from '../admin/forms/deliverables.ts';
import { closureKind } from '../admin/forms/token-requests.ts';
import { errors } from '../errors.ts';
import { solvedChallenge } from '../fields/challenge.ts';
import { draftMax, eachDraftText } from '../fields/draft-fields.ts';
import { formKey } from '../fields/form-key.ts';
import { AGREED_FIELDS, WIZARD_STEPS } from '../fields/token-form.ts';
import { TOKEN_NETWORKS } from '../networks.ts';
import { resemblanceAccepted } from '../resemblance.ts';
import { evidenceKind, soldPlace } from './deliverables.ts';
import { knownPayments, moneyBack, orderDeposit, partPayment, payment, plan } from './payments.ts';
import { refund } from './refunds.ts';
import { sourceState } from './tokens.ts';

/** Key of a network: 'solana'; '' when none is chosen. */
const networkKey = z
  .string()
  .regex(/^[a-z0-9-]*$/)
  .max(draftMax('selectedNetwork'));

/**
 * The wizard's form. Percentages and amounts are stored as typed; links that are not http(s) are dropped silently. The image is
 * an upload of this draft (/media/…) or an external URL.
 */
export const draftData = z.strictObject({
  ...eachDraftText((name) => z.string().max(draftMax(name))),
  creatorFeeShare: z.boolean(),
  /** Null when not answered. */
  smartContractWritten: z.boolean().nullable(),
  selectedNetwork: networkKey,
  basicPromo: z.boolean(),
  advancedPromo: z.boolean(),
  maxVisibility: z.boolean(),
  selectedPlan: plan,
});
export type DraftData = z.infer<typeof draftData>;

/** Problems that would block the payment later, or need attention; the draft is saved in any case. */
export const draftHint = z.enum([
  /** Not an address of the chosen network. */
  'walletInvalid',
  /** Written without the mixed case that serves as a checksum. */
  'walletWithoutChecksum',
  /** A network whose addresses we can't validate. */
  'walletUnchecked',
  'networkInactive',
  'emailInvalid',
  'linkDropped',
  /** Not an upload of this draft. */
  'imageDropped',
  /** Money arrived for the request: its mailbox can no longer be changed, and is the one from before. */
  'mailboxUnchanged',
]);
export type DraftHint = z.infer<typeof draftHint>;

export const draft = z.object({
  id: z.uuid(),
  version: z.int(),
  status: z.enum(['incomplete', 'pending_payment', 'completed']),
  paymentStatus: z.enum(['pending', 'completed', 'failed']),
  /** True once it is paid, in full or in part; then it can no longer be changed. */
  locked: z.boolean(),
  partPayment: partPayment.nullable(),
  priceUsd: z.int(),
  /** Opens the order page: /order/{id}#{orderKey}. */
  orderKey: z.string(),
  data: draftData,
  hints: z.array(draftHint),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Draft = z.infer<typeof draft>;

/** Stages of an order. */
export const orderStage = z.enum([
  'draft',
  'awaiting_payment',
  'confirming',
  'partially_paid',
  'paid',
  'in_review',
  'expired',
  'failed',
  'refunded',
  'creating',
  'created',
  'closed',
]);
export type OrderStage = z.infer<typeof orderStage>;

/** The next step of an order; keys of the catalogue. */
export const orderNext = z.enum([
  'finish_form',
  'pay',
  'wait_confirmation',
  'pay_rest',
  'wait_review',
  'wait_creation',
  'pay_again',
  'contact',
  'nothing',
]);

export type OrderNext = z.infer<typeof orderNext>;

/** How the team closed a request: delivered the token by hand, or will not deliver one. */
export const requestClosure = z.object({
  at: z.iso.datetime(),
  as: closureKind,
  /** The team's message to the customer. */
  note: z.string(),
  /** Address of the token delivered by hand, as entered by the team. */
  address: z.string().nullable(),
});
export type RequestClosure = z.infer<typeof requestClosure>;

/** One item of the plan: the promise, its due date, and the evidence of its delivery. */
export const orderItem = z.object({
  key: z.string(),
  /** The plan's line that includes this item and others; null for a line of its own. */
  line: z.string().nullable(),
  state: z.enum(['promised', 'done', 'withdrawn']),
  /** True when it is overdue. */
  late: z.boolean(),
  dueFrom,
  dueDays: z.int(),
  /** Null before the payment, and while the date depends on a token that does not exist yet. */
  dueAt: z.iso.datetime().nullable(),
  doneAt: z.iso.datetime().nullable(),
  evidence: z.object({ kind: evidenceKind, value: z.string() }).nullable(),
  /** The newest sold place on home that was started for this item. */
  place: soldPlace.nullable(),
  /** The team's note in addition to the evidence. */
  note: z.string().nullable(),
  withdrawnAt: z.iso.datetime().nullable(),
  withdrawnReason: z.string().nullable(),
  /** Number of the refund opened with its withdrawal. */
  refund: z.string().nullable(),
  /** The promised consequence of not delivering it, as of the payment. */
  ifNot: z.object({ es: z.string(), en: z.string() }),
});
export type OrderItem = z.infer<typeof orderItem>;

/** A token with the data that are ordered. */
const tokenSummary = z.object({
  network: z.enum(TOKEN_NETWORKS),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  /** Whole tokens, digits only. */
  supply: z.string(),
  decimals: z.int(),
  ownerWallet: z.string(),
  /** 'none': nobody may mint more, freeze or change it afterwards. Null for orders older than this field. */
  authorities: z.literal('none').nullable(),
  /** Our copy of the image, named by its SHA-256 in hex; null without an image. */
  picture: z.object({ hash: z.string(), path: z.string() }).nullable(),
  /** The metadata that wallets read, named by their SHA-256 in hex; null for orders older than this field. */
  metadata: z.object({ hash: z.string(), path: z.string(), description: z.string() }).nullable(),
  /** SHA-256 of all of this, in hex; the signer compares it. */
  hash: z.string(),
});

/** The token that the team proposes to the payer for confirmation: nothing else is created. */
export const tokenProposal = tokenSummary.extend({
  id: z.uuid(),
  state: z.enum(['open', 'confirmed', 'declined']),
  /** Fields that differ from the paid request, with their values in it. */
  changed: z.array(z.object({ field: z.enum(AGREED_FIELDS), paid: z.string() })),
  proposedAt: z.iso.datetime(),
  answeredAt: z.iso.datetime().nullable(),
  /** Time of the reminder to the payer. */
  remindedAt: z.iso.datetime().nullable(),
});
export type TokenProposal = z.infer<typeof tokenProposal>;

export const order = z.object({
  id: z.uuid(),
  /** Null while it is a draft. */
  orderId: z.string().nullable(),
  stage: orderStage,
  next: orderNext,
  plan,
  /** Items of the plan. */
  items: z.array(orderItem),
  /** Refunds, newest first. */
  refunds: z.array(refund),
  /** Of the form that the next payment would be for. */
  formVersion: z.int().positive(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  /** As in the form: an upload (/media/…), an external URL, or empty. */
  imageUrl: z.string(),
  selectedNetwork: z.string(),
  ...knownPayments.shape,
  /** Of `payment`; null while nothing went back. */
  returned: moneyBack.nullable(),
  /** Date of the delivery by hand; null when the signer creates the token, and before the payment. */
  deliverBy: z.iso.datetime().nullable(),
  closure: requestClosure.nullable(),
  /** True when the team accepted the received amount as sufficient. */
  accepted: z.boolean(),
  /** Received deposits, newest first. */
  deposits: z.array(orderDeposit),
  /** Mailbox for support; null when the operator has none. */
  supportEmail: z.string().nullable(),
  /** Receipt of received money; `amount` is of one deposit. 'part': something is outstanding. 'accepted': the team waived that. */
  receipt: z
    .object({
      kind: z.enum(['full', 'part', 'accepted']),
      number: z.string(),
      paidAt: z.iso.datetime(),
      plan,
      priceUsd: z.int(),
      receivedUsd: z.number(),
      missingUsd: z.number(),
      amount: z.number().nullable(),
      currency: z.string().nullable(),
      providerPaymentId: z.string().nullable(),
      simulation: z.boolean(),
    })
    .nullable(),
  /** Confirmation requests to the payer, open and answered; newest first. */
  proposals: z.array(tokenProposal),
  /** Data of the ordered or created token; null before the order. */
  summary: tokenSummary.nullable(),
  /** Filled when the token exists. */
  token: z.object({
    address: z.string().nullable(),
    transaction: z.string().nullable(),
    explorerUrl: z.string().nullable(),
    /** Status of the source verification of its contract at a block explorer; null when none was requested. */
    source: z.object({ state: sourceState, verifiedAt: z.iso.datetime().nullable() }).nullable(),
  }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Order = z.infer<typeof order>;

/** Secret of a draft: 256 bits that its author received once. Members do not need it for their own drafts. */
const secret = z.string().min(20).max(100);
/** No minimum length: a malformed key gets the same response as a wrong one. */
const key = z.string().max(100);
/** The furthest step of the wizard that the form has reached; a lower one than before changes nothing. */
const step = z.int().min(1).max(WIZARD_STEPS).optional();
const locale = z.enum(['es', 'en']);
const limited = { RATE_LIMITED: errors.RATE_LIMITED };
const own = { ...limited, NOT_FOUND: errors.NOT_FOUND };
const paying = {
  LOCKED: errors.LOCKED,
  BUSY: errors.BUSY,
  DRAFT_INCOMPLETE: errors.DRAFT_INCOMPLETE,
  PAYMENT_UNAVAILABLE: errors.PAYMENT_UNAVAILABLE,
  PLAN_OFF_SALE: errors.PLAN_OFF_SALE,
  VERSION_CONFLICT: errors.VERSION_CONFLICT,
};
/** Errors of procedures that accept the key of a private link. */
const byLink = { ...own, ORDER_LINK_ENDED: errors.ORDER_LINK_ENDED };
const mineOf = { id: z.uuid(), secret: secret.optional() };

/** Secrets are sent in request bodies only, so every procedure that accepts one is a POST. */
export const tokenRequests = {
  paymentMode: oc
    .route({ method: 'GET', path: '/payments/mode', tags: ['token requests'], summary: 'Whether and how one can pay' })
    .output(z.object({ available: z.boolean(), simulation: z.boolean(), currency: z.literal('usd') })),
  /** The secret is returned only here; whoever has it can change and pay the draft. */
  create: oc
    .route({ method: 'POST', path: '/token-requests', tags: ['token requests'], summary: 'Begin a token request' })
    .errors({ ...limited, CHALLENGE_NEEDED: errors.CHALLENGE_NEEDED })
    /** Idempotent: the same secret, for instance after a lost response, returns the same draft in its present state. */
    .input(
      z.strictObject({
        data: draftData.partial(),
        step,
        secret: formKey.optional(),
        challenge: solvedChallenge.optional(),
      }),
    )
    .output(draft.extend({ secret: z.string() })),
  /** Omitted fields stay unchanged. */
  save: oc
    .route({ method: 'PUT', path: '/token-requests/{id}', tags: ['token requests'], summary: 'Save a token request' })
    .errors({ ...own, VERSION_CONFLICT: errors.VERSION_CONFLICT, LOCKED: errors.LOCKED })
    .input(z.strictObject({ ...mineOf, version: z.int().positive(), data: draftData.partial(), step }))
    .output(draft),
  read: oc
    .route({ method: 'POST', path: '/token-requests/{id}/read', tags: ['token requests'], summary: 'Read a draft' })
    .errors(own)
    .input(z.strictObject(mineOf))
    .output(draft),
  /** Deletes an uploaded image that the draft does not show; one in use is deleted when the draft is saved without it. */
  removeImage: oc
    .route({
      method: 'POST',
      path: '/token-requests/{id}/images/{imageId}/remove',
      tags: ['token requests'],
      summary: 'Remove an unused image of a draft',
    })
    .errors({ ...own, LOCKED: errors.LOCKED })
    .input(z.strictObject({ ...mineOf, imageId: z.uuid() }))
    .output(z.object({ removed: z.boolean() })),
  mine: oc
    .route({ method: 'GET', path: '/token-requests/mine', tags: ['token requests'], summary: 'Requests of the member' })
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED })
    .output(
      z.array(
        z.object({
          id: z.uuid(),
          /** Null while it is a draft. */
          orderId: z.string().nullable(),
          tokenName: z.string(),
          tokenSymbol: z.string(),
          plan,
          stage: orderStage,
          partPayment: partPayment.nullable(),
          returned: moneyBack.nullable(),
          /** Another payment of the request received money, which needs attention. */
          review: z.boolean(),
          orderKey: z.string(),
          createdAt: z.iso.datetime(),
        }),
      ),
    ),
  /** Returns the open payment, or creates one when there is none, it expired or the plan changed. `version`: of the form as seen. */
  pay: oc
    .route({ method: 'POST', path: '/token-requests/{id}/payment', tags: ['token requests'], summary: 'Pay a request' })
    .errors({ ...own, ...paying, RESEMBLES: errors.RESEMBLES })
    .input(z.strictObject({ ...mineOf, version: z.int().positive().optional(), plan, locale, resemblanceAccepted }))
    .output(payment),
  /** Returns the stored state; with `ask`, queries the provider first, at most every 10 seconds. */
  check: oc
    .route({ method: 'POST', path: '/token-requests/{id}/check', tags: ['token requests'], summary: 'Is it paid?' })
    .errors(own)
    .input(
      z.strictObject({
        ...mineOf,
        ask: z.boolean().default(true),
        /** Parameter that the provider's page adds to the return address (NP_id). */
        providerPaymentId: z
          .string()
          .regex(/^\d{1,20}$/)
          .optional(),
      }),
    )
    .output(knownPayments),
  /** The private order page; `check` queries the provider first, at most every 10 seconds. */
  order: oc
    .route({ method: 'POST', path: '/orders/{id}', tags: ['token requests'], summary: 'An order by its private link' })
    .errors(byLink)
    .input(
      z.strictObject({
        id: z.uuid(),
        key,
        check: z.boolean().default(false),
        providerPaymentId: z
          .string()
          .regex(/^\d{1,20}$/)
          .optional(),
      }),
    )
    .output(order),
  /** Revokes this link and mails a new one; `key` is returned only to whoever began the order, or when there is no mailbox. */
  replaceLink: oc
    .route({
      method: 'POST',
      path: '/orders/{id}/link',
      tags: ['token requests'],
      summary: 'Replace the private link of an order',
    })
    .errors(byLink)
    .input(z.strictObject({ id: z.uuid(), key, locale }))
    .output(z.object({ key: z.string().nullable(), mailed: z.boolean() })),
  /** The payer's answer to the token's summary. */
  answerProposal: oc
    .route({
      method: 'POST',
      path: '/orders/{id}/proposal',
      tags: ['token requests'],
      summary: 'Confirm a token',
    })
    .errors({ ...byLink, ALREADY_DONE: errors.ALREADY_DONE })
    .input(z.strictObject({ id: z.uuid(), key, proposalId: z.uuid(), answer: z.enum(['confirmed', 'declined']) }))
    .output(order),
  /**
   * A new payment for an order that expired, failed or was refunded, or whose token was changed before anybody began to pay: the same plan at
   * today's price. The private link's holder can pay, and change nothing else. `version`: of the form as seen (`formVersion`).
   */
  renew: oc
    .route({ method: 'POST', path: '/orders/{id}/payment', tags: ['token requests'], summary: 'Pay an order anew' })
    .errors({ ...byLink, ...paying })
    .input(z.strictObject({ id: z.uuid(), key, version: z.int().positive().optional(), locale }))
    .output(order),
};
