import { z } from 'zod';
import { SEARCH_MAX } from '../limits.ts';
import { ANY_STAFF } from '../staff.ts';
import { adminRead } from './shared/list.ts';

/** What one box of the back office finds, in the order of its groups. */
export const foundKind = z.enum([
  'person',
  'order',
  'refund',
  'submission',
  'project',
  'next_project',
  'candidate',
  'news',
  'post',
]);
export type FoundKind = z.infer<typeof foundKind>;

const hit = z.object({
  kind: foundKind,
  id: z.string(),
  /** Its name. */
  title: z.string(),
  /** What tells it from others of that name: a number, a symbol, a mailbox, an author. */
  detail: z.string(),
});
export type FoundHit = z.infer<typeof hit>;

/** Search across everything that the back office has lists of. */
export const adminFind = adminRead('/find', 'Search everything of the back office; a few of each kind', ANY_STAFF)
  .input(z.strictObject({ q: z.string().trim().min(1).max(SEARCH_MAX) }))
  .output(z.array(hit));
