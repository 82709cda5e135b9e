import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from './errors.ts';
import { marketNetwork, slugOrId, tokenKind } from './fields.ts';
import { eachLink } from './links.ts';
import { provenance } from './market.ts';
import { verifiedBy } from './ownership.ts';

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
  /** True: name and symbol can't change any more; on Solana neither can the address of description and picture. */
  metadataLocked: z.boolean().nullable(),
  /** The address of description and picture has their SHA-256 in it; false for tokens of earlier versions. */
  filesHashed: z.boolean(),
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
    })
    .nullable(),
  /** The server's clock, for countdowns. */
  serverTime: z.iso.datetime(),
});
export type Token = z.infer<typeof token>;

export const tokens = {
  /** Looks up projects, then candidates, then NEXT projects; by slug, then by id where the text is a UUID. */
  find: oc
    .route({ method: 'GET', path: '/tokens/{slug}', tags: ['tokens'], summary: 'A token by slug or id' })
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ slug: slugOrId }))
    .output(token),
};
