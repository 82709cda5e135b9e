import { z } from 'zod';
import { role } from '../domains/auth.ts';
import { removalReason, removalRule } from '../domains/forum.ts';
import { errors } from '../errors.ts';
import { bulkAnswer, bulkIds, undoing } from './shared/bulk.ts';
import { adminRead, adminWrite, listInput, pageOf } from './shared/list.ts';

const count = z.int().nonnegative();
const what = z.enum(['post', 'comment']);

export const forumStats = z.object({
  totalUsers: count,
  totalPosts: count,
  totalModerators: count,
  pendingModeratorRequests: count,
});
export type ForumStats = z.infer<typeof forumStats>;

export const forumDebug = z.object({
  stats: forumStats,
  users: z.array(
    z.object({
      id: z.uuid(),
      username: z.string(),
      walletAddress: z.string(),
      migrationStatus: z.enum(['pending', 'completed']),
      newAuthUserId: z.uuid().nullable(),
    }),
  ),
  roles: z.array(
    z.object({
      id: z.uuid(),
      userId: z.uuid(),
      role,
      moderatorRequestStatus: z.enum(['approved', 'pending', 'rejected']),
      requestedAt: z.iso.datetime().nullable(),
    }),
  ),
});
export type ForumDebug = z.infer<typeof forumDebug>;

export const moderatedText = z.object({
  id: z.uuid(),
  what,
  postId: z.uuid(),
  /** Title of the post; for a comment, of the post it belongs to. */
  title: z.string(),
  content: z.string(),
  /** Null when the account was deleted. */
  author: z.string().nullable(),
  /** Account of the author; null for a profile of the previous site without one. */
  authorId: z.uuid().nullable(),
  createdAt: z.iso.datetime(),
  isHidden: z.boolean(),
  hiddenAt: z.iso.datetime().nullable(),
  hiddenBy: z.string().nullable(),
  /** Deleted by its author; such a text cannot be restored. */
  byAuthor: z.boolean(),
  /** Number of open reports. */
  reports: count,
  reasons: z.array(z.string()),
});
export type ModeratedText = z.infer<typeof moderatedText>;

/** The data needed to decide an appeal. */
export const appealToDecide = z.object({
  id: z.uuid(),
  what,
  rule: removalRule,
  removedAt: z.iso.datetime(),
  /** Null when the account was deleted. */
  removedByName: z.string().nullable(),
  /**
   * The reader's relation to the appeal: `free` to decide; `remover`, who removed the text, so that somebody else must decide; `alone`, who
   * removed it and decides, because nobody else on the team can; `author`, who never decides.
   */
  decider: z.enum(['free', 'remover', 'alone', 'author']),
  title: z.string(),
  content: z.string(),
  reason: z.string(),
  appeal: z.string(),
});
export type AppealToDecide = z.infer<typeof appealToDecide>;

export const adminForum = {
  stats: adminRead('/forum/stats', 'Counts of the forum', ['moderator']).output(forumStats),
  debug: adminRead('/forum/debug', 'Forum counts, profiles and roles, the first of each', ['moderator']).output(
    forumDebug,
  ),
  /** Posts or comments, newest first; `shelf` limits them to shown, hidden or reported ones. */
  list: adminRead('/forum', 'Posts or comments, also hidden ones', ['moderator'])
    .input(
      listInput(['createdAt'], {
        what: what.default('post'),
        shelf: z.enum(['all', 'shown', 'hidden', 'reported']).default('all'),
      }),
    )
    .output(pageOf(moderatedText)),
  /** Hides them from the forum, restorable for 30 days; their open reports are resolved by it. */
  hide: adminWrite('POST', '/forum/hide', 'Hide posts or comments', ['moderator'])
    .input(z.strictObject({ what, ids: bulkIds, rule: removalRule, reason: removalReason }))
    .output(bulkAnswer),
  appeal: adminRead('/forum/appeals/{id}', 'An appeal against a removal', ['moderator'])
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ id: z.uuid() }))
    .output(appealToDecide),
  /** Refused for the author, and for who removed the text while somebody else on the team can decide. */
  decideAppeal: adminWrite('POST', '/forum/appeals/{id}', 'Decide about an appeal', ['moderator'])
    .errors({ NOT_FOUND: errors.NOT_FOUND, ALREADY_DONE: errors.ALREADY_DONE, FORBIDDEN: errors.FORBIDDEN })
    .input(z.strictObject({ id: z.uuid(), outcome: z.enum(['upheld', 'reversed']), answer: removalReason }))
    .output(z.object({ ok: z.literal(true) })),
  /** The undo of hiding them also opens the reports that it resolved. */
  restore: adminWrite('POST', '/forum/restore', 'Show hidden posts or comments again', ['moderator'])
    .input(z.strictObject({ what, ids: bulkIds, undo: undoing }))
    .output(bulkAnswer),
  /**
   * The undo of one's own restore: hidden as before, under the same removal, so without a new notice to the author. Refused with
   * ALREADY_PUBLISHED for a text that the restore published for the first time, because others were notified of it.
   */
  hideAgain: adminWrite('POST', '/forum/hide-again', 'Undo showing posts or comments again', ['moderator'])
    .input(z.strictObject({ what, ids: bulkIds }))
    .output(bulkAnswer),
};
