import { z } from 'zod';
import { deliverableItem } from '../domains/deliverables.ts';
import { SEARCH_MAX } from '../limits.ts';
import { ANY_STAFF } from '../staff.ts';
import { adminRead } from './shared/list.ts';

/** Kinds of results of the back office's search, in the order of their groups. */
export const searchHitKind = z.enum([
  'person',
  'mailbox',
  'order',
  'unplaced',
  'refund',
  'deliverable',
  'submission',
  'project',
  'next_project',
  'candidate',
  'network',
  'news',
  'post',
  'comment',
]);
export type SearchHitKind = z.infer<typeof searchHitKind>;

const hit = z.object({
  kind: searchHitKind,
  id: z.string(),
  /** Display name of the record. */
  title: z.string(),
  /** Distinguishes it from records with the same name: a number, a symbol, a mailbox, an author. */
  detail: z.string(),
  /** Of a deliverable: what was sold. */
  item: deliverableItem.optional(),
});
export type SearchHit = z.infer<typeof hit>;

/** Search across all lists of the back office. */
export const adminSearch = adminRead('/find', 'Search everything of the back office; a few of each kind', ANY_STAFF)
  .input(z.strictObject({ q: z.string().trim().min(1).max(SEARCH_MAX) }))
  .output(z.array(hit));
