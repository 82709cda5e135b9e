import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from './errors.ts';
import { slugOrId, tokenKind } from './fields.ts';

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
  websiteUrl: z.string().nullable(),
  telegramUrl: z.string().nullable(),
  twitterUrl: z.string().nullable(),
  discordUrl: z.string().nullable(),
  /** US dollars. */
  price: z.number().nullable(),
  volume24h: z.number().nullable(),
  /** A number in US dollars, or text as entered ('$12.1k', 'TBD'). */
  marketCap: z.union([z.number(), z.string()]).nullable(),
  holdersCount: z.int().nullable(),
  maxSupply: z.number().nullable(),
  totalVotes: z.int().nonnegative(),
  votesToday: z.int().nonnegative(),
  /** 0 to 100; null for candidates. */
  progressPercentage: z.int().nullable(),
  createdAt: z.iso.datetime(),
  /** Only of a NEXT project. */
  launch: z
    .object({
      status: z.enum(['published', 'launched']),
      launchDate: z.iso.datetime().nullable(),
      countdownEnd: z.iso.datetime().nullable(),
      isVotingWinner: z.boolean(),
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
