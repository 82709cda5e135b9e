import { oc } from '@orpc/contract';
import { z } from 'zod';
import { cursor } from '../fields/schemas.ts';
import { figureSource } from './market.ts';
import { verifiedBy } from './ownership.ts';

export const project = z.object({
  id: z.uuid(),
  tokenName: z.string(),
  tokenSymbol: z.string(),
  tokenSlug: z.string(),
  description: z.string().nullable(),
  imageUrl: z.string().nullable(),
  /** From a provider, otherwise as entered by the team: '$2.50M', '$12.1k'. */
  marketCap: z.string(),
  /** Source of the market cap; null when unknown. */
  marketCapFrom: figureSource.nullable(),
  /** 0 to 100. */
  progressPercentage: z.int(),
  status: z.enum(['published_home', 'approved']),
  /** Change of the recorded price compared with seven days ago: 0.12 means +12 %. Null when either price is not recorded. */
  change7d: z.number().nullable(),
  verified: verifiedBy,
  /**
   * An active sold place on home: its end, and its label in both languages. The label is sent with it so that the scripts of a
   * first visit need not contain it.
   */
  sold: z.object({ until: z.iso.datetime(), es: z.string(), en: z.string() }).nullable(),
  orderIndex: z.int(),
  createdAt: z.iso.datetime(),
});
export type Project = z.infer<typeof project>;

/** Order of the list, and whether it repeats the Top 3. */
export const projectOrder = z.enum(['all', 'others', 'new']);
export type ProjectOrder = z.infer<typeof projectOrder>;

const page = z.object({ items: z.array(project), nextCursor: cursor.nullable(), total: z.int().nonnegative() });
export type ProjectPage = z.infer<typeof page>;

export const projects = {
  podium: oc
    .route({ method: 'GET', path: '/projects/podium', tags: ['projects'], summary: 'The Top 3, in order' })
    .output(z.array(project)),
  list: oc
    .route({ method: 'GET', path: '/projects', tags: ['projects'], summary: 'Projects on home' })
    .input(
      z.strictObject({
        /** 'all' by place, 'others' the same without the Top 3, 'new' by age. */
        order: projectOrder.default('all'),
        cursor: cursor.nullish(),
        /** Default: as many as home shows, adjusted so that the next page never has a single item. */
        limit: z.coerce.number().int().min(1).max(100).optional(),
      }),
    )
    .output(page),
};
