import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { cursor, tokenKind } from '../fields/schemas.ts';
import { SEARCH_GROUP, SEARCH_GROUP_MAX, SEARCH_MAX } from '../limits.ts';

/** Results of one kind, best first; `more` is true when further results are not listed. */
const group = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item), more: z.boolean() });

export const tokenHit = z.object({
  kind: tokenKind,
  id: z.uuid(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  tokenSlug: z.string().nullable(),
  imageUrl: z.string().nullable(),
  description: z.string().nullable(),
  /** True when a word matched with one letter changed. */
  corrected: z.boolean(),
});
export type TokenHit = z.infer<typeof tokenHit>;

const newsHit = z.object({
  id: z.uuid(),
  title: z.string(),
  /** Plain text, up to 150 characters. */
  excerpt: z.string(),
  publishedAt: z.iso.datetime().nullable(),
});
const postHit = z.object({
  id: z.uuid(),
  title: z.string(),
  /** Plain text, up to 150 characters. */
  excerpt: z.string(),
  /** Null when the account was deleted. */
  username: z.string().nullable(),
  createdAt: z.iso.datetime(),
  commentCount: z.int().nonnegative(),
});
/** An author of the forum, by the name shown there. */
const personHit = z.object({
  username: z.string(),
  shortId: z.string(),
  /** The newest post that the person wrote or commented on. */
  postId: z.uuid(),
  postTitle: z.string(),
  /** Its author; null when the account was deleted. */
  postBy: z.string().nullable(),
});

export const searchResults = z.object({
  tokens: group(tokenHit),
  candidates: group(tokenHit),
  launches: group(tokenHit),
  news: group(newsHit),
  posts: group(postHit),
  people: group(personHit),
  /** With `kind`: where its next page begins; null on the last one. */
  nextCursor: cursor.nullable().optional(),
});
export type SearchResults = z.infer<typeof searchResults>;

/** Groups that have a page of their own among the results; news and posts have the one of their list. */
export const searchKind = z.enum(['tokens', 'candidates', 'launches', 'people']);
export type SearchKind = z.infer<typeof searchKind>;

export const search = {
  find: oc
    .route({ method: 'GET', path: '/search', tags: ['search'], summary: 'Everything public that holds these words' })
    .errors({ RATE_LIMITED: errors.RATE_LIMITED })
    .input(
      z.strictObject({
        /** Words, or the address of a contract. Case and accents are ignored, except that ñ is a letter of its own. */
        q: z.string().trim().min(1).max(SEARCH_MAX),
        /** Maximum of results per kind. */
        limit: z.coerce.number().int().min(1).max(SEARCH_GROUP_MAX).default(SEARCH_GROUP),
        /** One group alone, in pages of `limit`; the others are empty. */
        kind: searchKind.optional(),
        cursor: cursor.optional(),
        /** `typing`: a search-as-you-type request, which has its own rate limit. */
        purpose: z.enum(['page', 'typing']).default('page'),
      }),
    )
    .output(searchResults),
};
