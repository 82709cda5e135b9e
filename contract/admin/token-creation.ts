import { z } from 'zod';
import { sourceState } from '../domains/tokens.ts';
import { chainObstacle, errors } from '../errors.ts';
import { checksummed } from '../fields/evm-checksum.ts';
import { creationErrors, TOKEN_NETWORKS, type TokenInput } from '../fields/token-form.ts';
import { adminRead, adminWrite, byProvenAdmin } from './shared/list.ts';

/** queued: the signer has not begun. held: a person decides how it goes on. failed: the chain does not take it. */
export const creationState = z.enum(['queued', 'working', 'held', 'completed', 'failed']);

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
  'key_unavailable',
  'wrong_key',
  'low_balance',
  'cap_reached',
  'payment_unknown',
  // A person decides.
  'unpaid',
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

/** One reading of a token that was made. */
export const tokenReading = z.object({
  /** What stands on the chain, or the pinned files. */
  what: z.enum(['chain', 'files']),
  /** 'unanswered': nobody could say, which is no difference. */
  outcome: z.enum(['same', 'different', 'unanswered']),
  /** Codes; keys of the catalogue. */
  differences: z.array(z.string()),
  /** Base units then, and the block or slot. */
  supply: z.string().nullable(),
  block: z.string().nullable(),
  /** English, for operators. */
  detail: z.string().nullable(),
  at: z.iso.datetime(),
});
export type TokenReading = z.infer<typeof tokenReading>;

/** What a block explorer says of the source of a token's contract. */
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
  /** More of the problem in English, for operators. */
  detail: z.string().nullable(),
  /** As ordered, which is how it will be. */
  tokenName: z.string(),
  tokenSymbol: z.string(),
  /** Whole tokens, digits only. */
  supply: z.string(),
  decimals: z.int(),
  owner: z.string(),
  /** SHA-256 of what the payer confirmed, in hex: what the signer compares. */
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
  /** The newest readings of it since, newest first. */
  readings: z.array(tokenReading),
  /** Null: nobody was asked, such as of tokens on Solana or test chains. */
  source: contractSource.nullable(),
  /** Nothing was signed and it stopped: createToken may be called again, with corrected data. */
  correctable: z.boolean(),
  /** It stopped: retryCreation goes on with the same data. */
  retryable: z.boolean(),
  /** When the signer looks at it next. */
  nextAttemptAt: z.iso.datetime().nullable(),
  orderedBy: z.string().nullable(),
  orderedAt: z.iso.datetime(),
  completedAt: z.iso.datetime().nullable(),
  updatedAt: z.iso.datetime(),
});
export type TokenCreation = z.infer<typeof tokenCreation>;

/** The second admin's approval of a request's token. */
export const tokenApproval = z.object({
  /** The settings ask for it now. */
  needed: z.boolean(),
  /** What the request costs, whole US dollars, and above how much it is asked for; null: no such amount is set. */
  amountUsd: z.int(),
  aboveUsd: z.int().nullable(),
  /** The summary that its payer confirmed and that counts; null while there is none. */
  proposal: z.object({ id: z.uuid(), hash: z.string() }).nullable(),
  /** Who approved that summary, oldest first; `by` is null for accounts that are gone. */
  given: z.array(z.object({ by: z.string().nullable(), mine: z.boolean(), at: z.iso.datetime() })),
  /** Admins beside who reads this. */
  otherAdmins: z.int(),
});
export type TokenApproval = z.infer<typeof tokenApproval>;

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

const eachError = (input: TokenInput, check: z.RefinementCtx) => {
  for (const [name, fieldError] of Object.entries(creationErrors(input, checksummed)))
    check.addIssue({ code: 'custom', path: [name], message: fieldError });
};
const tokenInputFields = z.strictObject({
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
});
/** Everything that a token is made of, checked field by field by the rules that the form uses as well. */
const tokenInput = tokenInputFields.superRefine(eachError);
/** The same for a question to its payer. */
const proposalInput = tokenInputFields
  .extend({
    /** Goes without the image of the request, where it can't be copied. */
    withoutPicture: z.boolean().default(false),
  })
  .superRefine(eachError);

const missing = { NOT_FOUND: errors.NOT_FOUND };

/** Under `admin.tokenRequests`: a token is created for a request. */
export const adminTokenCreation = {
  /**
   * Orders the token of a paid request: what is given here is frozen, and the signer makes it. Saying the same again while it
   * is under way answers with what is there. Asks for a fresh proof.
   */
  createToken: adminWrite('POST', '/token-requests/{requestId}/token', 'Make the token of a request', ['finance'])
    .errors({
      ...byProvenAdmin,
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
   * Freezes what the token will be, with a copy of its image, and asks the payer to confirm it; nothing is made before. ALREADY_DONE:
   * exactly this was asked already. IMAGE_NOT_FETCHED: the image can't be copied; `withoutPicture` goes without. Asks for a fresh proof.
   */
  proposeToken: adminWrite('POST', '/token-requests/{requestId}/proposal', 'Ask the payer to confirm a token', [
    'finance',
  ])
    .errors({
      ...byProvenAdmin,
      ...missing,
      NOT_DELIVERABLE: errors.NOT_DELIVERABLE,
      ALREADY_CREATED: errors.ALREADY_CREATED,
      ALREADY_DONE: errors.ALREADY_DONE,
      IMAGE_NOT_FETCHED: errors.IMAGE_NOT_FETCHED,
    })
    .input(proposalInput)
    .output(z.object({ ok: z.literal(true) })),
  /**
   * An admin's approval of a summary that its payer confirmed; another admin orders the token then. `hash`: of what was looked at.
   * PROPOSAL_CHANGED: it is not the summary that counts any more. ALREADY_DONE: approved by this admin before. Asks for a fresh proof.
   */
  approveToken: adminWrite('POST', '/token-requests/{requestId}/approval', 'Approve a confirmed token', ['finance'])
    .errors({
      ...byProvenAdmin,
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
  /** Goes on with a creation that stopped, with the data that was ordered. Asks for a fresh proof. */
  retryCreation: adminWrite('POST', '/token-requests/{requestId}/token/retry', 'Go on with a creation that stopped', [
    'finance',
  ])
    .errors({
      ...byProvenAdmin,
      ...missing,
      NOT_DELIVERABLE: errors.NOT_DELIVERABLE,
      CHAIN_UNAVAILABLE: errors.CHAIN_UNAVAILABLE,
      ALREADY_DONE: errors.ALREADY_DONE,
    })
    .input(z.strictObject({ requestId: z.uuid() }))
    .output(tokenCreation),
  /**
   * Hands the source of a token's contract to the explorer again, after it was refused or given up. ALREADY_DONE: it is not refused.
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
  /** Every network on which tokens can be made, with the reason where one can't now. */
  chains: adminRead('/chains', 'What can be made on which chain', ['finance']).output(z.array(chainStatus)),
};
