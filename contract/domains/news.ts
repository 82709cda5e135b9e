import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { SEARCH_MAX } from '../limits.ts';

export const newsCard = z.object({
  id: z.uuid(),
  title: z.string(),
  /** Plain text, cut to 300 characters for the first item and 200 for the others. */
  excerpt: z.string(),
  imageUrl: z.string().nullable(),
  authorName: z.string(),
  publishedAt: z.iso.datetime().nullable(),
});
export type NewsCard = z.infer<typeof newsCard>;

export const newsItem = newsCard.omit({ excerpt: true }).extend({
  /** Source text in the product's light markup, parsed by contract/text/markup.ts. */
  content: z.string(),
  updatedAt: z.iso.datetime(),
});
export type NewsItem = z.infer<typeof newsItem>;

export const news = {
  list: oc
    .route({ method: 'GET', path: '/news', tags: ['news'], summary: 'Published news, newest first' })
    .errors({ RATE_LIMITED: errors.RATE_LIMITED })
    .input(
      z.strictObject({
        /** Matched against title, content and author, ignoring case and accents. */
        q: z.string().trim().max(SEARCH_MAX).optional(),
        offset: z.coerce.number().int().min(0).max(100_000).default(0),
        limit: z.coerce.number().int().min(1).max(100).default(31),
      }),
    )
    .output(z.object({ items: z.array(newsCard), total: z.int().nonnegative() })),
  byId: oc
    .route({ method: 'GET', path: '/news/{id}', tags: ['news'], summary: 'One news item' })
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ id: z.uuid() }))
    .output(newsItem),
};
