import { and, eq, inArray } from 'drizzle-orm';
import type { ReviewWhy } from '#contract/domains/forum.ts';
import { ANSWER_DAYS } from '#contract/limits.ts';
import type { Tx } from '#server/db/client.ts';
import { forumUsers } from '#server/db/tables/accounts.ts';
import { forumComments, forumPosts, forumPostTags, forumPostTokens, forumQuotes } from '#server/db/tables/forum.ts';
import { inboxOwners } from '#server/db/tables/inbox.ts';
import { forumReviews } from '#server/db/tables/trust.ts';
import { notifyOfText } from '#server/domains/notifications/notify.service.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publish } from '#server/live/publish.ts';
import { countComments, lockPostOf } from './comment-counter.service.ts';

/** Reference to a post or comment. */
export interface TextRef {
  what: 'post' | 'comment';
  id: string;
}

/** Deadline for the review of a text. @param since when it was written. */
export const reviewDue = (since: Date): string =>
  new Date(since.getTime() + ANSWER_DAYS.review * 86_400_000).toISOString();

/**
 * Hides a text that was just written until it is released, in the transaction that wrote it. It is counted among the comments of
 * its post, and notifications are sent, when it is released.
 */
export async function holdText(
  tx: Tx,
  { what, id }: TextRef,
  { authorId, why, links, now }: { authorId: string; why: ReviewWhy; links: boolean; now: Date },
): Promise<void> {
  const texts = what === 'post' ? forumPosts : forumComments;
  await tx.update(texts).set({ isHidden: true }).where(eq(texts.id, id));
  await tx.insert(forumReviews).values({
    textId: id,
    what,
    [what === 'post' ? 'postId' : 'commentId']: id,
    authorId,
    why,
    links,
    since: now,
  });
}

/** Releases the inbox item of a text. */
export const leaveInbox = (tx: Tx, id: string) =>
  tx.delete(inboxOwners).where(and(eq(inboxOwners.source, 'review'), eq(inboxOwners.itemId, id)));

/** Whether a post is on the site, and with it its comments. */
export const isShown = async (tx: Tx, postId: string): Promise<boolean> =>
  (await tx.$count(forumPosts, and(eq(forumPosts.id, postId), eq(forumPosts.isHidden, false)))) > 0;

/**
 * Publishes a held or declined text, with this moment as its time, and sends the notifications that were postponed. Parts that the
 * trash deleted permanently meanwhile remain missing. Nobody is notified of a comment on a post that was hidden meanwhile.
 *
 * @param by who released it; undefined: an appeal, or a restore of what had been declined, whose entry remains.
 * @returns false when the text was not held or declined. @throws FORBIDDEN for one's own.
 */
export async function publishHeld(tx: Tx, { what, id }: TextRef, now: Date, by?: string): Promise<boolean> {
  const postId = what === 'post' ? id : await lockPostOf(tx, id);
  const [review] = await tx
    .select({ authorId: forumReviews.authorId })
    .from(forumReviews)
    .where(and(eq(forumReviews.textId, id), inArray(forumReviews.state, ['waiting', 'declined'])))
    .for('update');
  if (!review || !postId) return false;
  if (by === review.authorId) fail('FORBIDDEN');
  await tx
    .update(forumReviews)
    .set({ state: 'released', ...(by ? { decidedAt: now, decidedBy: by } : {}) })
    .where(eq(forumReviews.textId, id));
  const shown = { isHidden: false, deletedAt: null, deletedBy: null, createdAt: now };
  const { authorId } = review;
  await leaveInbox(tx, id);
  if (what === 'post') {
    const [post] = await tx
      .update(forumPosts)
      .set(shown)
      .where(eq(forumPosts.id, id))
      .returning({ title: forumPosts.title, content: forumPosts.content });
    if (!post) return false;
    await tx.update(forumPostTags).set({ createdAt: now }).where(eq(forumPostTags.postId, id));
    const [about] = await tx
      .update(forumPostTokens)
      .set({ createdAt: now })
      .where(eq(forumPostTokens.postId, id))
      .returning({ id: forumPostTokens.tokenId });
    await publish(tx, { type: 'post.created', postId: id, ...(about ? { about: about.id } : {}) });
    await notifyOfText(tx, { postId: id, text: `${post.title}\n${post.content}`, actorId: authorId, now });
    return true;
  }
  const [comment] = await tx
    .update(forumComments)
    .set(shown)
    .where(eq(forumComments.id, id))
    .returning({ content: forumComments.content });
  const [quote] = await tx
    .select({ quotedId: forumQuotes.quotedId })
    .from(forumQuotes)
    .where(eq(forumQuotes.commentId, id));
  await countComments(tx, postId, 1);
  await publish(tx, { type: 'post.changed', postId });
  if (!(await isShown(tx, postId))) return true;
  await notifyOfText(tx, {
    postId,
    commentId: id,
    ...(quote ? { quotedId: quote.quotedId } : {}),
    text: comment?.content ?? '',
    actorId: authorId,
    now,
  });
  return true;
}

/** A waiting review, locked after its post, in the lock order of all writers of the post's counter. @throws ALREADY_DONE, NOT_FOUND */
export async function lockReview(tx: Tx, id: string) {
  await lockPostOf(tx, id);
  const [row] = await tx
    .select({ what: forumReviews.what, authorId: forumReviews.authorId, state: forumReviews.state })
    .from(forumReviews)
    .where(eq(forumReviews.textId, id))
    .for('update');
  const { state, ...review } = row ?? fail('NOT_FOUND', { what: 'review' });
  if (state !== 'waiting') fail('ALREADY_DONE');
  return review;
}

/** Post of a text, its title, and the text's content, hidden or not. @throws NOT_FOUND */
export async function contentOf(
  tx: Tx,
  { what, id }: TextRef,
): Promise<{ postId: string; title: string; content: string }> {
  const [row] =
    what === 'post'
      ? await tx
          .select({ postId: forumPosts.id, title: forumPosts.title, content: forumPosts.content })
          .from(forumPosts)
          .leftJoin(forumUsers, eq(forumUsers.id, forumPosts.forumUserId))
          .where(eq(forumPosts.id, id))
      : await tx
          .select({ postId: forumPosts.id, title: forumPosts.title, content: forumComments.content })
          .from(forumComments)
          .innerJoin(forumPosts, eq(forumPosts.id, forumComments.postId))
          .where(eq(forumComments.id, id));
  return row ?? fail('NOT_FOUND', { what });
}
