import { z } from 'zod';
import { sourceState } from '../domains/tokens.ts';
import { chainObstacle, errors } from '../errors.ts';
import { checksummed } from '../fields/evm-checksum.ts';
import { creationErrors, type TokenInput } from '../fields/token-form.ts';
import { TOKEN_NETWORKS } from '../networks.ts';
import { adminRead, adminWrite, byAdminAfterStepUp } from './shared/list.ts';

/** queued: the signer has not started. held: waits for an admin's decision. failed: the chain rejects it. */
export const creationState = z.enum(['queued', 'working', 'held', 'completed', 'failed']);

/** The current step of the signer. */
const creationStage = z.enum(['queued', 'checking', 'signed', 'sent', 'confirming', 'reading', 'completed', 'stopped']);
export type CreationStage = z.infer<typeof creationStage>;

/** Reason why it waits or stopped; keys of the catalogue. */
const creationProblem = z.enum([
  // Continues automatically when the cause is over.
  'unreachable',
  'wrong_chain',
  'wrong_seed',
  'unsupported',
  'key_unavailable',
  'wrong_key',
  'low_balance',
  'cap_reached',
  'payment_unknown',
  // Needs a decision of an admin.
  'unpaid',
  'refund_claimed',
  'not_accepted',
  'payment_withdrawn',
  'acceptance_unsigned',
  'payment_elsewhere',
  'audit_changed',
  'wrong_money',
  'snapshot_changed',
  'approval_missing',
  'stuck',
  'transaction_unknown',
  'internal',
  // Rejected by the chain in its present form.
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

/** Facts read back from the chain. */
const tokenFacts = z.object({
  name: z.string(),
  symbol: z.string(),
  decimals: z.int(),
  /** Base units, decimal digits. */
  supply: z.string(),
  ownerReceived: z.string(),
  /** The authority that can mint more or freeze balances; null when there is none, permanently. */
  mintAuthority: z.string().nullable(),
  freezeAuthority: z.string().nullable(),
  /** True when name, symbol and metadata address are immutable. */
  metadataLocked: z.boolean(),
  transaction: z.string().nullable(),
  block: z.string().nullable(),
  at: z.iso.datetime().nullable(),
});
export type TokenFacts = z.infer<typeof tokenFacts>;

/** One check of a created token. */
export const tokenReading = z.object({
  /** The chain state or the pinned files. */
  what: z.enum(['chain', 'files']),
  /** 'unanswered': no source responded, which is not a difference. */
  outcome: z.enum(['same', 'different', 'unanswered']),
  /** Codes; keys of the catalogue. */
  differences: z.array(z.string()),
  /** Supply in base units at that time, and the block or slot. */
  supply: z.string().nullable(),
  block: z.string().nullable(),
  /** English, for operators. */
  detail: z.string().nullable(),
  at: z.iso.datetime(),
});
export type TokenReading = z.infer<typeof tokenReading>;

/** Status of the contract's source verification at a block explorer. */
const contractSource = z.object({
  state: sourceState,
  /** English, for operators. */
  detail: z.string().nullable(),
  attempts: z.int().nonnegative(),
  nextAttemptAt: z.iso.datetime().nullable(),
  verifiedAt: z.iso.datetime().nullable(),
});
export type ContractSourceState = z.infer<typeof contractSource>;

/** The creation of a request's token on its chain. */
export const tokenCreation = z.object({
  id: z.uuid(),
  requestId: z.uuid(),
  network: z.enum(TOKEN_NETWORKS),
  state: creationState,
  stage: creationStage,
  problem: creationProblem.nullable(),
  /** Details of the problem in English, for operators. */
  detail: z.string().nullable(),
  /** As ordered; these values are final. */
  tokenName: z.string(),
  tokenSymbol: z.string(),
  /** Whole tokens, digits only. */
  supply: z.string(),
  decimals: z.int(),
  owner: z.string(),
  /** SHA-256 in hex of the snapshot that the payer confirmed; the signer compares it. */
  snapshotHash: z.string(),
  metadataUrl: z.string(),
  /** Paid in the simulation and created on a network without real money. */
  simulation: z.boolean(),
  /** The token and the transaction that created it; null until both were read back from the chain. */
  address: z.string().nullable(),
  addressUrl: z.string().nullable(),
  transaction: z.string().nullable(),
  transactionUrl: z.string().nullable(),
  /** Signed attempts, oldest first. */
  attempts: z.array(
    z.object({
      number: z.int(),
      transaction: z.string(),
      transactionUrl: z.string().nullable(),
      signedAt: z.iso.datetime(),
      sentAt: z.iso.datetime().nullable(),
      /** Null while it can still be included. */
      outcome: z.enum(['landed', 'lost', 'refused']).nullable(),
    }),
  ),
  facts: tokenFacts.nullable(),
  /** The newest checks since the creation, newest first. */
  readings: z.array(tokenReading),
  /** Null when no verification was requested, such as for tokens on Solana or test chains. */
  source: contractSource.nullable(),
  /** It stopped before anything was signed: createToken can be called again with corrected data. */
  correctable: z.boolean(),
  /** It stopped: retryCreation resumes it with the same data. */
  retryable: z.boolean(),
  /** Time of the signer's next attempt. */
  nextAttemptAt: z.iso.datetime().nullable(),
  orderedBy: z.string().nullable(),
  orderedAt: z.iso.datetime(),
  completedAt: z.iso.datetime().nullable(),
  updatedAt: z.iso.datetime(),
});
export type TokenCreation = z.infer<typeof tokenCreation>;

/** The second admin's approval of a request's token. */
export const tokenApproval = z.object({
  /** The current settings require it. */
  needed: z.boolean(),
  /** Price of the request in whole US dollars, and the threshold above which an approval is required; null when none is set. */
  amountUsd: z.int(),
  aboveUsd: z.int().nullable(),
  /** The valid summary that the payer confirmed; null when there is none. */
  proposal: z.object({ id: z.uuid(), hash: z.string() }).nullable(),
  /** The approvals of that summary, oldest first; `by` is null for deleted accounts. */
  given: z.array(z.object({ by: z.string().nullable(), mine: z.boolean(), at: z.iso.datetime() })),
  /** Number of admins other than the reader with the staff role owner or finance. */
  otherAdmins: z.int(),
});
export type TokenApproval = z.infer<typeof tokenApproval>;

/** Current availability of token creation on a network. */
const chainStatus = z.object({
  network: z.enum(TOKEN_NETWORKS),
  /** Null when a token can be ordered. */
  why: chainObstacle.nullable(),
  /** Details in English, for operators. */
  detail: z.string().nullable(),
  /** As last returned by the chain; null when it never responded. */
  chainId: z.string().nullable(),
  /** True when the network uses real money. */
  production: z.boolean().nullable(),
  deployer: z.string().nullable(),
  balance: z.string().nullable(),
  coin: z.string().nullable(),
  /** Approximate cost of one token. */
  cost: z.string().nullable(),
  enoughFor: z.int().nullable(),
  dailyCap: z.int().nullable(),
  usedToday: z.int().nullable(),
  /** Creations that are ordered but not signed. */
  waiting: z.int(),
  seenAt: z.iso.datetime().nullable(),
});
export type ChainStatus = z.infer<typeof chainStatus>;

const eachError = (input: TokenInput, check: z.RefinementCtx) => {
  for (const [name, fieldError] of Object.entries(creationErrors(input, checksummed)))
    check.addIssue({ code: 'custom', path: [name], message: fieldError });
};
const tokenInputFields = z.strictObject({
  requestId: z.string().trim().max(100),
  tokenName: z.string().trim().max(200).normalize('NFC'),
  tokenSymbol: z.string().trim().max(100).normalize('NFC'),
  network: z.enum(TOKEN_NETWORKS).default('solana'),
  /** As typed: digits only, because a JSON number can lose precision. */
  totalSupply: z.string().trim().max(40).default('1000000000'),
  ownerWallet: z.string().trim().max(200),
  description: z.string().trim().max(10_000).default(''),
  /** The ticker, repeated as confirmation. */
  confirmation: z.string().trim().max(100).normalize('NFC'),
  /** When false, a name or symbol that resembles an existing one is refused with LOOK_ALIKE. */
  lookAlikeAccepted: z.boolean().default(false),
});
/** All data of a token, validated field by field with the rules of the form. */
const tokenInput = tokenInputFields.superRefine(eachError);
/** The same for a confirmation request to the payer. */
const proposalInput = tokenInputFields
  .extend({
    /** Proceeds without the request's image when it can't be copied. */
    withoutPicture: z.boolean().default(false),
  })
  .superRefine(eachError);

const missing = { NOT_FOUND: errors.NOT_FOUND };

/** Mounted as `admin.tokenRequests`: creation of a request's token. */
export const adminTokenCreation = {
  /**
   * Orders the token of a paid request: the given data are frozen, and the signer creates it. Idempotent: repeating the same
   * order while it is in progress returns the existing creation. Requires step-up.
   */
  createToken: adminWrite('POST', '/token-requests/{requestId}/token', 'Make the token of a request', ['finance'])
    .errors({
      ...byAdminAfterStepUp,
      ...missing,
      NOT_DELIVERABLE: errors.NOT_DELIVERABLE,
      CHAIN_UNAVAILABLE: errors.CHAIN_UNAVAILABLE,
      ALREADY_CREATED: errors.ALREADY_CREATED,
      LOOK_ALIKE: errors.LOOK_ALIKE,
      PAYER_CONFIRMATION: errors.PAYER_CONFIRMATION,
      SECOND_APPROVAL: errors.SECOND_APPROVAL,
    })
    .input(tokenInput)
    .output(tokenCreation),
  /**
   * Freezes the token's data with a copy of its image, and requests the payer's confirmation; nothing is created before it.
   * ALREADY_DONE: the same data were proposed already. IMAGE_NOT_FETCHED: the image can't be copied; `withoutPicture` proceeds
   * without it. Requires step-up.
   */
  proposeToken: adminWrite('POST', '/token-requests/{requestId}/proposal', 'Ask the payer to confirm a token', [
    'finance',
  ])
    .errors({
      ...byAdminAfterStepUp,
      ...missing,
      NOT_DELIVERABLE: errors.NOT_DELIVERABLE,
      ALREADY_CREATED: errors.ALREADY_CREATED,
      ALREADY_DONE: errors.ALREADY_DONE,
      IMAGE_NOT_FETCHED: errors.IMAGE_NOT_FETCHED,
    })
    .input(proposalInput)
    .output(z.object({ ok: z.literal(true) })),
  /**
   * An admin's approval of a summary that its payer confirmed; another admin then orders the token. `hash` identifies the
   * summary that was reviewed. PROPOSAL_CHANGED: that summary is no longer valid. ALREADY_DONE: this admin approved it before.
   * Requires step-up.
   */
  approveToken: adminWrite('POST', '/token-requests/{requestId}/approval', 'Approve a confirmed token', ['finance'])
    .errors({
      ...byAdminAfterStepUp,
      ...missing,
      NOT_DELIVERABLE: errors.NOT_DELIVERABLE,
      ALREADY_CREATED: errors.ALREADY_CREATED,
      ALREADY_DONE: errors.ALREADY_DONE,
      PROPOSAL_CHANGED: errors.PROPOSAL_CHANGED,
    })
    .input(
      z.strictObject({
        requestId: z.uuid(),
        proposalId: z.uuid(),
        hash: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .output(z.object({ ok: z.literal(true) })),
  /**
   * Resumes a stopped creation with the ordered data. PROPOSAL_CHANGED: nothing is signed, and its payer confirmed other data since, which
   * have to be ordered. Requires step-up.
   */
  retryCreation: adminWrite('POST', '/token-requests/{requestId}/token/retry', 'Go on with a creation that stopped', [
    'finance',
  ])
    .errors({
      ...byAdminAfterStepUp,
      ...missing,
      NOT_DELIVERABLE: errors.NOT_DELIVERABLE,
      CHAIN_UNAVAILABLE: errors.CHAIN_UNAVAILABLE,
      ALREADY_DONE: errors.ALREADY_DONE,
      PROPOSAL_CHANGED: errors.PROPOSAL_CHANGED,
    })
    .input(z.strictObject({ requestId: z.uuid() }))
    .output(tokenCreation),
  /**
   * Submits the source of a token's contract to the explorer again, after a rejection or the last automatic attempt.
   * ALREADY_DONE: it is not rejected.
   */
  retrySource: adminWrite(
    'POST',
    '/token-requests/{requestId}/token/source',
    'Hand in the source of a contract again',
    ['finance'],
  )
    .errors({ ...missing, ALREADY_DONE: errors.ALREADY_DONE })
    .input(z.strictObject({ requestId: z.uuid() }))
    .output(z.object({ ok: z.literal(true) })),
  /** All networks for token creation, with the reason for each that is unavailable now. */
  chains: adminRead('/chains', 'What can be made on which chain', ['finance']).output(z.array(chainStatus)),
};
