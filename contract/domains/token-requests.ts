import { oc } from '@orpc/contract';
import { z } from 'zod';
import { dueFrom } from '../admin/forms/deliverables.ts';
import { closureKind } from '../admin/forms/token-requests.ts';
import { errors } from '../errors.ts';
import { draftMax, eachDraftText } from '../fields/draft-fields.ts';
import { formKey } from '../fields/form-key.ts';
import { AGREED_FIELDS, TOKEN_NETWORKS } from '../fields/token-form.ts';
import { resemblanceAccepted } from '../likeness.ts';
import { evidenceKind, soldPlace } from './deliverables.ts';
import { orderDeposit, otherPayment, partPayment, payment, paymentAnswer, plan } from './payments.ts';
import { refund } from './refunds.ts';
import { sourceState } from './tokens.ts';

/** Of a network: 'solana'; '' while none is chosen. */
const networkKey = z
  .string()
  .regex(/^[a-z0-9-]*$/)
  .max(draftMax('selectedNetwork'));

/**
 * The wizard's form. Percentages and amounts stay as typed; links that are not http(s) are dropped without a word. The image
 * is one of this draft (/media/…) or a foreign address.
 */
export const draftData = z.strictObject({
  ...eachDraftText((name) => z.string().max(draftMax(name))),
  creatorFeeShare: z.boolean(),
  /** Null: not answered. */
  smartContractWritten: z.boolean().nullable(),
  selectedNetwork: networkKey,
  basicPromo: z.boolean(),
  advancedPromo: z.boolean(),
  maxVisibility: z.boolean(),
  selectedPlan: plan,
});
export type DraftData = z.infer<typeof draftData>;

/** What would stop the payment later, or is worth a look; saving works all the same. */
export const draftHint = z.enum([
  /** Not an address of the chosen network. */
  'walletInvalid',
  /** Written without the mix of cases that protects against typing errors. */
  'walletWithoutChecksum',
  /** A network whose addresses we can't check. */
  'walletUnchecked',
  'networkInactive',
  'emailInvalid',
  'linkDropped',
  /** Not an image of this draft. */
  'imageDropped',
]);
export type DraftHint = z.infer<typeof draftHint>;

export const draft = z.object({
  id: z.uuid(),
  version: z.int(),
  status: z.enum(['incomplete', 'pending_payment', 'completed']),
  paymentStatus: z.enum(['pending', 'completed', 'failed']),
  /** True once money arrived for it, all of it or a part. */
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

/** Where an order stands. */
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

/** What happens next; keys of the catalogue. */
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

/** How the team closed a request: it delivered the token by hand, or will not deliver one. */
export const requestClosure = z.object({
  at: z.iso.datetime(),
  as: closureKind,
  /** What the team says to the customer. */
  note: z.string(),
  /** Of the token delivered by hand, as the team says it. */
  address: z.string().nullable(),
});
export type RequestClosure = z.infer<typeof requestClosure>;

/** One item of the plan: what was promised, by when, and what shows that it is there. */
export const orderItem = z.object({
  key: z.string(),
  /** The line of the plan that stands for it and others; null for a line of its own. */
  line: z.string().nullable(),
  state: z.enum(['promised', 'done', 'withdrawn']),
  /** Past its date. */
  late: z.boolean(),
  dueFrom,
  dueDays: z.int(),
  /** Null before the payment, and while it counts from a token that is not there yet. */
  dueAt: z.iso.datetime().nullable(),
  doneAt: z.iso.datetime().nullable(),
  evidence: z.object({ kind: evidenceKind, value: z.string() }).nullable(),
  /** The newest place on home that was given for it. */
  place: soldPlace.nullable(),
  /** What the team says beside the evidence. */
  note: z.string().nullable(),
  withdrawnAt: z.iso.datetime().nullable(),
  withdrawnReason: z.string().nullable(),
  /** Number of the refund that came with it. */
  refund: z.string().nullable(),
  /** What the team does if it does not happen, as it stood at the payment. */
  ifNot: z.object({ es: z.string(), en: z.string() }),
});
export type OrderItem = z.infer<typeof orderItem>;

/** A token as it is ordered to be made. */
const tokenSummary = z.object({
  network: z.enum(TOKEN_NETWORKS),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  /** Whole tokens, digits only. */
  supply: z.string(),
  decimals: z.int(),
  ownerWallet: z.string(),
  /** Who may make more, freeze or change it afterwards: nobody. Null: ordered before that was part of it. */
  authorities: z.literal('none').nullable(),
  /** Our copy of the image, named by its SHA-256 in hex; null without one. */
  picture: z.object({ hash: z.string(), path: z.string() }).nullable(),
  /** What wallets read, named by its SHA-256 in hex; null where it was ordered before that was part of it. */
  metadata: z.object({ hash: z.string(), path: z.string(), description: z.string() }).nullable(),
  /** SHA-256 of all of this, in hex: what the signer compares. */
  hash: z.string(),
});

/** What the team would make, put to its payer: nothing else is made. */
export const tokenProposal = tokenSummary.extend({
  id: z.uuid(),
  state: z.enum(['open', 'confirmed', 'declined']),
  /** What differs, and what the request that was paid says of it. */
  changed: z.array(z.object({ field: z.enum(AGREED_FIELDS), paid: z.string() })),
  proposedAt: z.iso.datetime(),
  answeredAt: z.iso.datetime().nullable(),
  /** When its payer was reminded. */
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
  /** What the plan sells, item by item. */
  items: z.array(orderItem),
  /** Money that goes back, newest first. */
  refunds: z.array(refund),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  /** As the form has it: an uploaded image (/media/…), a foreign address, or nothing. */
  imageUrl: z.string(),
  selectedNetwork: z.string(),
  payment: payment.nullable(),
  /** Newest first; where something waits for the team, nothing else should be paid meanwhile. */
  otherPayments: z.array(otherPayment),
  answer: paymentAnswer,
  /** Until when the team delivers by hand; null where the signer makes the token, and before it is paid. */
  deliverBy: z.iso.datetime().nullable(),
  closure: requestClosure.nullable(),
  /** The team takes what arrived for enough. */
  accepted: z.boolean(),
  /** What arrived, newest first. */
  deposits: z.array(orderDeposit),
  /** Where people get help; null where the operator names no mailbox. */
  supportEmail: z.string().nullable(),
  /** Of money that arrived. 'part': something is missing. 'accepted': something is missing, and the team does without. */
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
  /** What the payer is asked to confirm, and was; newest first. */
  proposals: z.array(tokenProposal),
  /** What is ordered to be made, or was made; null before. */
  summary: tokenSummary.nullable(),
  /** Filled when the token exists. */
  token: z.object({
    address: z.string().nullable(),
    transaction: z.string().nullable(),
    explorerUrl: z.string().nullable(),
    /** What a block explorer says of the source of its contract; null: none was asked. */
    source: z.object({ state: sourceState, verifiedAt: z.iso.datetime().nullable() }).nullable(),
  }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Order = z.infer<typeof order>;

/** Of a draft: 256 bits that its author got once. Members need none for their own. */
const secret = z.string().min(20).max(100);
/** No shortest length: a key that can't be right is answered like one that is wrong. */
const key = z.string().max(100);
/** A solved challenge: what CHALLENGE_NEEDED brought, and its solution. */
export const solvedChallenge = z.strictObject({
  challenge: z.record(z.string(), z.unknown()),
  solution: z.strictObject({
    counter: z.int().nonnegative(),
    derivedKey: z.string().max(200),
    time: z.number().optional(),
  }),
});
export type SolvedChallenge = z.infer<typeof solvedChallenge>;

const locale = z.enum(['es', 'en']);
const limited = { RATE_LIMITED: errors.RATE_LIMITED };
const own = { ...limited, NOT_FOUND: errors.NOT_FOUND };
/** Where the key of a private link opens something. */
const byLink = { ...own, ORDER_LINK_ENDED: errors.ORDER_LINK_ENDED };
const mineOf = { id: z.uuid(), secret: secret.optional() };

/** Secrets travel in bodies only, so every call that takes one is a POST. */
export const tokenRequests = {
  paymentMode: oc
    .route({ method: 'GET', path: '/payments/mode', tags: ['token requests'], summary: 'Whether and how one can pay' })
    .output(z.object({ available: z.boolean(), simulation: z.boolean(), currency: z.literal('usd') })),
  /** The secret is shown this once; who has it may change and pay the draft. */
  create: oc
    .route({ method: 'POST', path: '/token-requests', tags: ['token requests'], summary: 'Begin a token request' })
    .errors({ ...limited, CHALLENGE_NEEDED: errors.CHALLENGE_NEEDED })
    /** The same secret again, for instance after a lost answer, brings the same draft as it is now. */
    .input(
      z.strictObject({ data: draftData.partial(), secret: formKey.optional(), challenge: solvedChallenge.optional() }),
    )
    .output(draft.extend({ secret: z.string() })),
  /** Fields that are left out stay as they are. */
  save: oc
    .route({ method: 'PUT', path: '/token-requests/{id}', tags: ['token requests'], summary: 'Save a token request' })
    .errors({ ...own, VERSION_CONFLICT: errors.VERSION_CONFLICT, LOCKED: errors.LOCKED })
    .input(z.strictObject({ ...mineOf, version: z.int().positive(), data: draftData.partial() }))
    .output(draft),
  read: oc
    .route({ method: 'POST', path: '/token-requests/{id}/read', tags: ['token requests'], summary: 'Read a draft' })
    .errors(own)
    .input(z.strictObject(mineOf))
    .output(draft),
  /** Removes an uploaded image that the draft does not show; one that it shows goes when it is saved without it. */
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
          /** Money arrived at another payment of the request, and a person has to look at it. */
          review: z.boolean(),
          orderKey: z.string(),
          createdAt: z.iso.datetime(),
        }),
      ),
    ),
  /** The open payment of the request, or a new one when there is none, it ran out, or the plan is another. */
  pay: oc
    .route({ method: 'POST', path: '/token-requests/{id}/payment', tags: ['token requests'], summary: 'Pay a request' })
    .errors({
      ...own,
      LOCKED: errors.LOCKED,
      BUSY: errors.BUSY,
      DRAFT_INCOMPLETE: errors.DRAFT_INCOMPLETE,
      PAYMENT_UNAVAILABLE: errors.PAYMENT_UNAVAILABLE,
      PLAN_OFF_SALE: errors.PLAN_OFF_SALE,
      RESEMBLES: errors.RESEMBLES,
    })
    .input(z.strictObject({ ...mineOf, plan, locale, resemblanceAccepted }))
    .output(payment),
  /** Answered from what we know; `ask` asks the provider first, at most every 10 seconds. */
  check: oc
    .route({ method: 'POST', path: '/token-requests/{id}/check', tags: ['token requests'], summary: 'Is it paid?' })
    .errors(own)
    .input(
      z.strictObject({
        ...mineOf,
        ask: z.boolean().default(true),
        /** What the provider's page put into the address on the way back (NP_id). */
        providerPaymentId: z
          .string()
          .regex(/^\d{1,20}$/)
          .optional(),
      }),
    )
    .output(z.object({ answer: paymentAnswer, payment: payment.nullable(), otherPayments: z.array(otherPayment) })),
  /** The private order page; `check` asks the provider first, at most every 10 seconds. */
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
  /** Ends this link and makes another one for the order's mailbox; `key` only for who began the order, or without a mailbox. */
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
  /** What the payer says to the summary of the token. */
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
   * A new payment for an order that ran out, failed or was refunded: the same plan, at today's price. Who holds the private
   * link may pay, and change nothing else.
   */
  renew: oc
    .route({ method: 'POST', path: '/orders/{id}/payment', tags: ['token requests'], summary: 'Pay an order anew' })
    .errors({
      ...byLink,
      LOCKED: errors.LOCKED,
      BUSY: errors.BUSY,
      DRAFT_INCOMPLETE: errors.DRAFT_INCOMPLETE,
      PAYMENT_UNAVAILABLE: errors.PAYMENT_UNAVAILABLE,
      PLAN_OFF_SALE: errors.PLAN_OFF_SALE,
    })
    .input(z.strictObject({ id: z.uuid(), key, locale }))
    .output(order),
};
