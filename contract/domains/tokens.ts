import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { EXPLORE_ORDERS, EXPLORE_PAGE } from '../explore.ts';
import { eachLink } from '../fields/links.ts';
import { cursor, marketNetwork, slugOrId, tokenKind } from '../fields/schemas.ts';
import { provenance } from './market.ts';
import { launchChange, launchProof } from './next-projects.ts';
import { verifiedBy } from './ownership.ts';

/**
 * State of the source verification of a token's contract at a block explorer. 'waiting': to be submitted. 'submitted': in
 * verification. 'refused': rejected as not matching, or given up after the last attempt without a result.
 */
export const sourceState = z.enum(['waiting', 'submitted', 'verified', 'refused']);

/** Facts read back from the chain after we created the token; null for facts that could not be read. */
const creationFacts = z.object({
  network: marketNetwork,
  address: z.string(),
  /** Hash of its transaction, and its page in an explorer when one is configured. */
  transaction: z.string().nullable(),
  transactionUrl: z.url().nullable(),
  addressUrl: z.url().nullable(),
  createdAt: z.iso.datetime(),
  /** Whole tokens, decimal digits: can exceed 2^53. */
  supply: z.string().nullable(),
  /** Percent of the supply that the owner received, 0 to 100. */
  ownerShare: z.number().min(0).max(100).nullable(),
  /** True when nobody can mint more, permanently. */
  mintRevoked: z.boolean().nullable(),
  /** True when nobody can freeze balances. */
  freezeRevoked: z.boolean().nullable(),
  /** True when name and symbol are immutable; on Solana also the address of description and image. */
  metadataLocked: z.boolean().nullable(),
  /** The address of description and image contains their SHA-256; false for tokens of earlier versions. */
  filesHashed: z.boolean(),
  /** Time since which a block explorer confirms the source of its contract; null without a confirmation. */
  sourceVerifiedAt: z.iso.datetime().nullable(),
  /** A test chain or a simulated payment: without real value. */
  simulation: z.boolean(),
  /** Time of that reading. */
  readAt: z.iso.datetime(),
  /** The newest check since whose result is shown; null before the first one, a day after the creation. */
  again: z
    .object({
      /** Of the check that found the differences; without any, of the last one that found none on the chain. */
      at: z.iso.datetime(),
      /** Codes of the newest check's differences; empty unless the check before it found some too. */
      differences: z.array(z.string()),
    })
    .nullable(),
});
export type CreationFacts = z.infer<typeof creationFacts>;

/** The page of one token, from any of the three kinds of records. Missing figures are null. */
export const token = z.object({
  kind: tokenKind,
  id: z.uuid(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  tokenSlug: z.string().nullable(),
  description: z.string().nullable(),
  descriptionFull: z.string().nullable(),
  imageUrl: z.string().nullable(),
  contractAddress: z.string().nullable(),
  /** Network of its address, when known. */
  network: marketNetwork.nullable(),
  ...eachLink(() => z.string().nullable()),
  /** US dollars. */
  price: z.number().nullable(),
  volume24h: z.number().nullable(),
  /** Total of all its pools, US dollars. */
  liquidity: z.number().nullable(),
  /** A number in US dollars, or text as entered ('$12.1k', 'TBD'). */
  marketCap: z.union([z.number(), z.string()]).nullable(),
  holdersCount: z.int().nullable(),
  maxSupply: z.number().nullable(),
  /** Source of each figure; null when the figure is unknown, whatever is displayed instead. */
  sources: z.object({
    price: provenance.nullable(),
    volume24h: provenance.nullable(),
    marketCap: provenance.nullable(),
    liquidity: provenance.nullable(),
    holders: provenance.nullable(),
    maxSupply: provenance.nullable(),
  }),
  /** Start of the recorded prices; null when there are none. */
  pricesSince: z.iso.datetime().nullable(),
  facts: z.object({
    /** Only for tokens that were created here. */
    creation: creationFacts.nullable(),
  }),
  /** Votes of a competing candidate, or those with which a winner won. */
  totalVotes: z.int().nonnegative(),
  votesToday: z.int().nonnegative(),
  /** For a candidate: votes of the open round outside of its total, because they are under review or void. */
  votesUnderReview: z.int().nonnegative(),
  votesVoid: z.int().nonnegative(),
  /** 0 to 100; null for candidates. */
  progressPercentage: z.int().nullable(),
  verified: verifiedBy,
  createdAt: z.iso.datetime(),
  /** Only for a NEXT project. */
  launch: z
    .object({
      status: z.enum(['published', 'launched']),
      launchDate: z.iso.datetime().nullable(),
      countdownEnd: z.iso.datetime().nullable(),
      isVotingWinner: z.boolean(),
      /** Number of the round that it won with its votes; null when it won none, or the votes are no longer stored. */
      wonRound: z.int().positive().nullable(),
      proof: launchProof,
      /** Changes of its announced time, newest first; limited to the newest ones. */
      changes: z.array(launchChange),
    })
    .nullable(),
  /** The server's time, for countdowns. */
  serverTime: z.iso.datetime(),
});
export type Token = z.infer<typeof token>;

export const exploreOrder = z.enum(['new', 'place', 'votes', 'today', 'launch']);
export type ExploreOrder = z.infer<typeof exploreOrder>;
/** Filters of a list. */
export const exploreFilter = z.strictObject({
  kind: tokenKind.default('project'),
  network: marketNetwork.optional(),
  /** Only tokens with a contract address. */
  contract: z.literal('yes').optional(),
  /** `month`: listed within the last 30 days. */
  since: z.literal('month').optional(),
  /** For NEXT projects: upcoming, or launched. */
  status: z.enum(['published', 'launched']).optional(),
  /** For NEXT projects, `week`: the launch is within the next seven days. */
  launch: z.literal('week').optional(),
  order: exploreOrder.optional(),
});
export type ExploreFilter = z.infer<typeof exploreFilter>;

const exploredToken = token
  .pick({ kind: true, id: true, tokenName: true, tokenSymbol: true, tokenSlug: true, description: true })
  .extend({
    imageUrl: z.string().nullable(),
    network: marketNetwork.nullable(),
    hasContract: z.boolean(),
    createdAt: z.iso.datetime(),
    /** Only for a candidate. */
    totalVotes: z.int().nonnegative().nullable(),
    votesToday: z.int().nonnegative().nullable(),
    /** For a NEXT project: the end of its countdown, otherwise its date. */
    startsAt: z.iso.datetime().nullable(),
    launched: z.boolean(),
    /** Only for a NEXT project. */
    proof: launchProof.nullable(),
  });
export type ExploredToken = z.infer<typeof exploredToken>;

const exploredPage = z.object({ items: z.array(exploredToken), nextCursor: cursor.nullable() });
export type ExploredPage = z.infer<typeof exploredPage>;

export const tokens = {
  /**
   * One of the three lists, filtered and sorted. `today` includes only candidates with a vote of the current UTC day; `launch`
   * only launches with a future time.
   */
  explore: oc
    .route({ method: 'GET', path: '/tokens', tags: ['tokens'], summary: 'Tokens of a list, filtered and ordered' })
    .input(
      exploreFilter
        .extend({ cursor: cursor.nullish(), limit: z.coerce.number().int().min(1).max(50).default(EXPLORE_PAGE) })
        .refine(
          ({ kind, order }) => !order || (EXPLORE_ORDERS[kind] as readonly string[]).includes(order),
          'an order of another list',
        )
        .refine(({ kind, status, launch }) => kind === 'next' || !(status || launch), 'only of NEXT projects'),
    )
    .output(exploredPage),
  /** Looks up projects, then candidates, then NEXT projects; by slug, then by id when the text is a UUID. */
  find: oc
    .route({ method: 'GET', path: '/tokens/{slug}', tags: ['tokens'], summary: 'A token by slug or id' })
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ slug: slugOrId }))
    .output(token),
};
