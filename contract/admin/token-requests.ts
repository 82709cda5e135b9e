import { z } from 'zod';
import { chainObstacle, errors } from '../errors.ts';
import { REPORT_NOTE_MAX } from '../limits.ts';
import { creationFaults, TOKEN_NETWORKS } from '../token-form.ts';
import {
  draftData,
  orderDeposit,
  payment,
  paymentAnswer,
  paymentState,
  plan,
  requestClosure,
} from '../token-requests.ts';
import { closeForm } from './forms/token-requests.ts';
import { adminRead, adminWrite, anyRecord, byProvenAdmin, listInput, pageOf } from './list.ts';

const closeInput = closeForm.safeExtend({ id: z.uuid() });
export type CloseInput = z.infer<typeof closeInput>;

const status = z.enum(['incomplete', 'pending_payment', 'completed']);
const paymentStatus = z.enum(['pending', 'completed', 'failed']);

/** queued: the signer has not begun. held: a person decides how it goes on. failed: the chain does not take it. */
const creationState = z.enum(['queued', 'working', 'held', 'completed', 'failed']);

/** What happens at the moment. */
const creationStage = z.enum(['queued', 'checking', 'signed', 'sent', 'confirming', 'reading', 'completed', 'stopped']);
export type CreationStage = z.infer<typeof creationStage>;

/** Why it waits, or stopped; keys of the catalogue. */
const creationProblem = z.enum([
  // It goes on by itself as soon as this is over.
  'unreachable',
  'wrong_chain',
  'wrong_seed',
  'unsupported',
  'low_balance',
  'cap_reached',
  'wrong_seed',
  'payment_unknown',
  // A person decides.
  'unpaid',
  'not_accepted',
  'payment_withdrawn',
  'wrong_money',
  'snapshot_changed',
  'stuck',
  'transaction_unknown',
  'internal',
  // The chain does not take it as it is.
  'owner_is_program',
  'owner_is_token_account',
  'owner_invalid',
  'name_invalid',
  'symbol_invalid',
  'supply_invalid',
  'metadata_invalid',
  'mismatch',
  'refused',
]);
export type CreationProblem = z.infer<typeof creationProblem>;

/** Read back from the chain. */
const tokenFacts = z.object({
  name: z.string(),
  symbol: z.string(),
  decimals: z.int(),
  /** Base units, decimal digits. */
  supply: z.string(),
  ownerReceived: z.string(),
  /** Who could make more, or freeze balances; null: nobody, for ever. */
  mintAuthority: z.string().nullable(),
  freezeAuthority: z.string().nullable(),
  /** Nobody can change name, symbol and metadata address. */
  metadataLocked: z.boolean(),
  transaction: z.string().nullable(),
  block: z.string().nullable(),
  at: z.iso.datetime().nullable(),
});
export type TokenFacts = z.infer<typeof tokenFacts>;

/** The creation of a request's token on its chain. */
export const tokenCreation = z.object({
  id: z.uuid(),
  requestId: z.uuid(),
  network: z.enum(TOKEN_NETWORKS),
  state: creationState,
  stage: creationStage,
  problem: creationProblem.nullable(),
  /** More of the problem in English, for operators. */
  detail: z.string().nullable(),
  /** As ordered, which is how it will be. */
  tokenName: z.string(),
  tokenSymbol: z.string(),
  /** Whole tokens, digits only. */
  supply: z.string(),
  decimals: z.int(),
  owner: z.string(),
  /** SHA-256 of everything above, in hex: what the signer compares. */
  snapshotHash: z.string(),
  metadataUrl: z.string(),
  /** Paid for in the simulation, made where nothing is money. */
  simulation: z.boolean(),
  /** The token and the transaction that made it; null until both were read back from the chain. */
  address: z.string().nullable(),
  addressUrl: z.string().nullable(),
  transaction: z.string().nullable(),
  transactionUrl: z.string().nullable(),
  /** What was signed so far, oldest first. */
  attempts: z.array(
    z.object({
      number: z.int(),
      transaction: z.string(),
      transactionUrl: z.string().nullable(),
      signedAt: z.iso.datetime(),
      sentAt: z.iso.datetime().nullable(),
      /** Null while it may still land. */
      outcome: z.enum(['landed', 'lost', 'refused']).nullable(),
    }),
  ),
  facts: tokenFacts.nullable(),
  /** Nothing was signed and it stopped: createToken may be called again, with corrected data. */
  correctable: z.boolean(),
  /** It stopped: retryCreation goes on with the same data. */
  retryable: z.boolean(),
  /** When the signer looks at it next. */
  nextTryAt: z.iso.datetime().nullable(),
  orderedBy: z.string().nullable(),
  orderedAt: z.iso.datetime(),
  completedAt: z.iso.datetime().nullable(),
  updatedAt: z.iso.datetime(),
});
export type TokenCreation = z.infer<typeof tokenCreation>;

/** What can be made on a network now. */
const chainStatus = z.object({
  network: z.enum(TOKEN_NETWORKS),
  /** Null: a token can be ordered. */
  why: chainObstacle.nullable(),
  /** More of it in English, for operators. */
  detail: z.string().nullable(),
  /** As the chain last said; null where it never answered. */
  chainId: z.string().nullable(),
  /** Real money. */
  production: z.boolean().nullable(),
  deployer: z.string().nullable(),
  balance: z.string().nullable(),
  coin: z.string().nullable(),
  /** About what one token costs. */
  cost: z.string().nullable(),
  enoughFor: z.int().nullable(),
  dailyCap: z.int().nullable(),
  usedToday: z.int().nullable(),
  /** Creations that are ordered and not signed yet. */
  waiting: z.int(),
  seenAt: z.iso.datetime().nullable(),
});
export type ChainStatus = z.infer<typeof chainStatus>;

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
  notDeliverable: z.enum(['unpaid', 'not_accepted', 'closed']).nullable(),
  /** How the team closed it; null while it is open. */
  closure: requestClosure.nullable(),
  /** It may be closed now. */
  closable: z.boolean(),
  /** Where it can be made; null for networks on which we make none. */
  creatableOn: z.enum(TOKEN_NETWORKS).nullable(),
  creation: tokenCreation.nullable(),
  /** Until when the payer was promised a delivery by hand. */
  deliverBy: z.iso.datetime().nullable(),
  timeline: z.array(happening),
});
export type AdminTokenRequest = z.infer<typeof adminTokenRequest>;

/** Everything that a token is made of, checked field by field by the rules that the form uses as well. */
const tokenInput = z
  .strictObject({
    requestId: z.string().trim().max(100),
    tokenName: z.string().trim().max(200).normalize('NFC'),
    tokenSymbol: z.string().trim().max(100).normalize('NFC'),
    network: z.enum(TOKEN_NETWORKS).default('solana'),
    /** As typed: digits only, because a number in JSON may have lost some. */
    totalSupply: z.string().trim().max(40).default('1000000000'),
    ownerWallet: z.string().trim().max(200),
    description: z.string().trim().max(10_000).default(''),
    /** The ticker once more. */
    confirmation: z.string().trim().max(100).normalize('NFC'),
    /** Without it a name or symbol that looks like another one is refused with LOOK_ALIKE. */
    lookAlikeAccepted: z.boolean().default(false),
  })
  .superRefine((input, check) => {
    for (const [name, fault] of Object.entries(creationFaults(input)))
      check.addIssue({ code: 'custom', path: [name], message: fault });
  });

const missing = { NOT_FOUND: errors.NOT_FOUND };
const why = z.string().trim().min(1).max(REPORT_NOTE_MAX);
const paymentOf = z.strictObject({ paymentId: z.uuid() });
const unplacedOf = z.strictObject({ id: z.string().min(1).max(64) });

/** Money at the provider whose order is not here: made after the backup that was restored, or never here. */
const unplacedPayment = z.object({
  /** The provider's number of the deposit. */
  id: z.string(),
  /** As the provider says it. */
  orderId: z.string().nullable(),
  status: z.string(),
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  /** What the order was about, where it was in US dollars. */
  priceUsd: z.number().nullable(),
  simulation: z.boolean(),
  since: z.iso.datetime(),
});
export type UnplacedPayment = z.infer<typeof unplacedPayment>;

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
    .output(z.object({ answer: paymentAnswer })),
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
  /** Ends a paid request without a token of the signer; its customer reads the note. */
  close: adminWrite('POST', '/token-requests/{id}/close', 'Close a paid request')
    .errors({ ...missing, NOT_CLOSABLE: errors.NOT_CLOSABLE })
    .input(closeInput)
    .output(z.object({ ok: z.literal(true) })),
  reopen: adminWrite('POST', '/token-requests/{id}/reopen', 'Open a closed request again')
    .errors({ ...missing, ALREADY_DONE: errors.ALREADY_DONE })
    .input(anyRecord)
    .output(z.object({ ok: z.literal(true) })),
  /** Money whose order is not known here, oldest first, at most 200. */
  unplaced: adminRead('/token-requests/unplaced', 'Money whose order is not known').output(
    z.object({ payments: z.array(unplacedPayment) }),
  ),
  /** Puts such money on an order; whether it is enough is said by accepting it there. Asks for a fresh proof. */
  placePayment: adminWrite('POST', '/token-requests/unplaced/{id}/place', 'Place money on an order')
    .errors({ ...byProvenAdmin, ...missing, PAYMENT_UNAVAILABLE: errors.PAYMENT_UNAVAILABLE })
    .input(unplacedOf.extend({ orderId: z.string().trim().toUpperCase().max(40), reason: why }))
    .output(z.object({ requestId: z.uuid() })),
  /** Takes such money off the list: it was given back, or belongs elsewhere. Asks for a fresh proof. */
  settleUnplaced: adminWrite('POST', '/token-requests/unplaced/{id}/settle', 'Say where money was settled')
    .errors({ ...byProvenAdmin, ...missing })
    .input(unplacedOf.extend({ reason: why }))
    .output(z.object({ ok: z.literal(true) })),
  /**
   * Orders the token of a paid request: what is given here is frozen, and the signer makes it. Saying the same again while it
   * is under way answers with what is there. Asks for a fresh proof.
   */
  createToken: adminWrite('POST', '/token-requests/{requestId}/token', 'Make the token of a request')
    .errors({
      ...byProvenAdmin,
      ...missing,
      NOT_DELIVERABLE: errors.NOT_DELIVERABLE,
      CHAIN_UNAVAILABLE: errors.CHAIN_UNAVAILABLE,
      ALREADY_CREATED: errors.ALREADY_CREATED,
      LOOK_ALIKE: errors.LOOK_ALIKE,
    })
    .input(tokenInput)
    .output(tokenCreation),
  /** Goes on with a creation that stopped, with the data that was ordered. Asks for a fresh proof. */
  retryCreation: adminWrite('POST', '/token-requests/{requestId}/token/retry', 'Go on with a creation that stopped')
    .errors({
      ...byProvenAdmin,
      ...missing,
      NOT_DELIVERABLE: errors.NOT_DELIVERABLE,
      CHAIN_UNAVAILABLE: errors.CHAIN_UNAVAILABLE,
      ALREADY_DONE: errors.ALREADY_DONE,
    })
    .input(z.strictObject({ requestId: z.uuid() }))
    .output(tokenCreation),
  /** Every network on which tokens can be made, with the reason where one can't now. */
  chains: adminRead('/chains', 'What can be made on which chain').output(z.array(chainStatus)),
};
