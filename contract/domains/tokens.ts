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
 * How far a block explorer is with the source of a token's contract. 'waiting': to be handed in. 'submitted': it looks at it. 'refused': it
 * found that it does not fit, or nobody could tell often enough.
 */
export const sourceState = z.enum(['waiting', 'submitted', 'verified', 'refused']);

/** What was read back from the chain after we made the token; every null is something nobody could read. */
const creationFacts = z.object({
  network: marketNetwork,
  address: z.string(),
  /** Its name on the chain, and its page in an explorer where one is configured. */
  transaction: z.string().nullable(),
  transactionUrl: z.url().nullable(),
  addressUrl: z.url().nullable(),
  createdAt: z.iso.datetime(),
  /** Whole tokens, decimal digits: may pass 2^53. */
  supply: z.string().nullable(),
  /** Percent of the supply that the owner received, 0 to 100. */
  ownerShare: z.number().min(0).max(100).nullable(),
  /** True: nobody can make more, for ever. */
  mintRevoked: z.boolean().nullable(),
  /** True: nobody can freeze balances. */
  freezeRevoked: z.boolean().nullable(),
  /** True: name and symbol can't change any more; on Solana neither can the address of description and image. */
  metadataLocked: z.boolean().nullable(),
  /** The address of description and image has their SHA-256 in it; false for tokens of earlier versions. */
  filesHashed: z.boolean(),
  /** Since when a block explorer says that the source of its contract is the one that it shows; null: it says nothing of it. */
  sourceVerifiedAt: z.iso.datetime().nullable(),
  /** A test chain or a simulated payment: nothing of this is worth money. */
  simulation: z.boolean(),
  /** When it was read from the chain. */
  readAt: z.iso.datetime(),
  /** The newest reading since; null before the first one, a day later. */
  again: z
    .object({
      at: z.iso.datetime(),
      /** Codes of what two readings in a row did not find as it was made; empty: all of it is. */
      differences: z.array(z.string()),
    })
    .nullable(),
});
export type CreationFacts = z.infer<typeof creationFacts>;

/** One token's page, whatever record it comes from. Absent figures are null. */
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
  /** Of its address, where that is known. */
  network: marketNetwork.nullable(),
  ...eachLink(() => z.string().nullable()),
  /** US dollars. */
  price: z.number().nullable(),
  volume24h: z.number().nullable(),
  /** In all its pools, US dollars. */
  liquidity: z.number().nullable(),
  /** A number in US dollars, or text as entered ('$12.1k', 'TBD'). */
  marketCap: z.union([z.number(), z.string()]).nullable(),
  holdersCount: z.int().nullable(),
  maxSupply: z.number().nullable(),
  /** Where each figure comes from; null: it is not known, whatever is shown in its place. */
  sources: z.object({
    price: provenance.nullable(),
    volume24h: provenance.nullable(),
    marketCap: provenance.nullable(),
    liquidity: provenance.nullable(),
    holders: provenance.nullable(),
    maxSupply: provenance.nullable(),
  }),
  /** Since when prices are recorded; null: there are none. */
  pricesSince: z.iso.datetime().nullable(),
  facts: z.object({
    /** Only of tokens that were made here. */
    creation: creationFacts.nullable(),
  }),
  /** Of a candidate in the running, or those with which a winner won. */
  totalVotes: z.int().nonnegative(),
  votesToday: z.int().nonnegative(),
  /** Of a candidate, votes of the open round that are not in its totals: they wait for a review, or are void. */
  votesUnderReview: z.int().nonnegative(),
  votesVoid: z.int().nonnegative(),
  /** 0 to 100; null for candidates. */
  progressPercentage: z.int().nullable(),
  verified: verifiedBy,
  createdAt: z.iso.datetime(),
  /** Only of a NEXT project. */
  launch: z
    .object({
      status: z.enum(['published', 'launched']),
      launchDate: z.iso.datetime().nullable(),
      countdownEnd: z.iso.datetime().nullable(),
      isVotingWinner: z.boolean(),
      /** Number of the round that it won with its votes; null when it won none, or the votes were not kept. */
      wonRound: z.int().positive().nullable(),
      proof: launchProof,
      /** Changes of its announced hour, newest first; of very many the newest. */
      changes: z.array(launchChange),
    })
    .nullable(),
  /** The server's clock, for countdowns. */
  serverTime: z.iso.datetime(),
});
export type Token = z.infer<typeof token>;

export const exploreOrder = z.enum(['new', 'place', 'votes', 'today', 'launch']);
export type ExploreOrder = z.infer<typeof exploreOrder>;
/** What a list is narrowed to. */
export const exploreFilter = z.strictObject({
  kind: tokenKind.default('project'),
  network: marketNetwork.optional(),
  /** With the address of a contract. */
  contract: z.literal('yes').optional(),
  /** `month`: listed within the last 30 days. */
  since: z.literal('month').optional(),
  /** Of NEXT projects: still to come, or launched. */
  status: z.enum(['published', 'launched']).optional(),
  /** Of NEXT projects, `week`: the launch is within the next seven days. */
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
    /** Of a candidate. */
    totalVotes: z.int().nonnegative().nullable(),
    votesToday: z.int().nonnegative().nullable(),
    /** Of a NEXT project: the end of its countdown, else its date. */
    startsAt: z.iso.datetime().nullable(),
    launched: z.boolean(),
    /** Of a NEXT project. */
    proof: launchProof.nullable(),
  });
export type ExploredToken = z.infer<typeof exploredToken>;

export const tokens = {
  /**
   * One of the three lists, narrowed and ordered. By `today` only candidates with a vote of the running UTC day; by `launch` only
   * launches that have a time which is not over.
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
    .output(z.object({ items: z.array(exploredToken), nextCursor: cursor.nullable() })),
  /** Looks up projects, then candidates, then NEXT projects; by slug, then by id where the text is a UUID. */
  find: oc
    .route({ method: 'GET', path: '/tokens/{slug}', tags: ['tokens'], summary: 'A token by slug or id' })
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ slug: slugOrId }))
    .output(token),
};
