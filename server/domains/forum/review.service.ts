import { and, asc, eq, sql } from 'drizzle-orm';
import type { RemovalRule, ReviewWhy } from '#contract/domains/forum.ts';
import type { TextOfMember, TrustLevel, WaitingText } from '#contract/domains/forum-review.ts';
import { commentAnchor } from '#contract/text/comment-anchor.ts';
import { REVIEWS_SHOWN, REVIEWS_WAITING } from '#contract/trust.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asText } from '#server/db/expressions.ts';
import { forumUsers } from '#server/db/tables/accounts.ts';
import { forumComments, forumPostImages, forumPosts } from '#server/db/tables/forum.ts';
import { forumReviews, memberTrust } from '#server/db/tables/trust.ts';
import { notifyOfDecision } from '#server/domains/notifications/member-events.service.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import {
  contentOf,
  holdText,
  isShown,
  leaveInbox,
  lockReview,
  publishHeld,
  reviewDue,
  type TextRef,
} from './held-texts.service.ts';
import { recordRemoval } from './removals.service.ts';
import { holdsLink, whyWaits } from './trust.policy.ts';
import { applyTrustRules, levelOf } from './trust.service.ts';
import { requireModerator, type Writer } from './writer.ts';

/**
 * Checks whether a member's text has to wait for a review, by the rules of trust; updates the member's level first. Staff are
 * exempt.
 *
 * @returns the reason; null when it need not wait, or reviews are off.
 * @throws REVIEWS_FULL when the maximum number of texts is waiting.
 */
export async function reviewOf(
  tx: Tx,
  { viewer, now, reviews }: Writer,
  text: string,
): Promise<{ why: ReviewWhy; links: boolean } | null> {
  if (!reviews || viewer.role !== 'user') return null;
  const standing = await applyTrustRules(tx, viewer.id, now);
  const links = holdsLink(text, reviews.host);
  const why = whyWaits({ level: standing.level, shown: standing.texts, links: standing.links }, links);
  if (why && standing.waiting >= REVIEWS_WAITING) fail('REVIEWS_FULL');
  return why && { why, links };
}

/** @throws EDIT_NEEDS_REVIEW when the edit of a visible text would have to wait. */
export async function checkEdit(tx: Tx, { viewer, now, reviews }: Writer, text: string): Promise<void> {
  if (!reviews || viewer.role !== 'user') return;
  const { level, texts, links } = await applyTrustRules(tx, viewer.id, now);
  // The text itself is excluded from the number of visible texts before it.
  if (whyWaits({ level, shown: texts - 1, links }, holdsLink(text, reviews.host))) fail('EDIT_NEEDS_REVIEW');
}

/** Holds a new text for a review: hidden, with its review entry, and in the inbox of staff. No notifications are sent. */
export async function startReview(
  tx: Tx,
  { viewer, actor, now }: Writer,
  { what, id }: TextRef,
  { why, links }: { why: ReviewWhy; links: boolean },
): Promise<{ why: ReviewWhy; dueAt: string }> {
  await holdText(tx, { what, id }, { authorId: viewer.id, why, links, now });
  await audit(tx, actor, { action: `${what}.review_asked`, resourceType: what, resourceId: id, after: { why } });
  return { why, dueAt: reviewDue(now) };
}

const COLUMNS = {
  id: forumReviews.textId,
  what: forumReviews.what,
  why: forumReviews.why,
  since: forumReviews.since,
  postId: forumPosts.id,
  title: forumPosts.title,
  content: sql`coalesce(${forumComments.content}, ${forumPosts.content})`.mapWith(asText),
};

async function imagesOf(db: Reader, texts: { id: string; what: string }[]) {
  const posts = texts.filter(({ what }) => what === 'post').map(({ id }) => id);
  if (posts.length === 0) return [];
  return db
    .select({ postId: forumPostImages.postId, url: forumPostImages.url, alt: forumPostImages.alt })
    .from(forumPostImages)
    .where(sql`${forumPostImages.postId} = any(${sql.param(posts)}::uuid[])`)
    .orderBy(forumPostImages.postId, forumPostImages.position);
}

/** A member's level, and their waiting texts, oldest first. */
export async function myReview(db: Reader, userId: string) {
  const rows = await db
    .select(COLUMNS)
    .from(forumReviews)
    .leftJoin(forumComments, eq(forumComments.id, forumReviews.commentId))
    .innerJoin(forumPosts, sql`${forumPosts.id} = coalesce(${forumReviews.postId}, ${forumComments.postId})`)
    .where(and(eq(forumReviews.authorId, userId), eq(forumReviews.state, 'waiting')))
    .orderBy(asc(forumReviews.since), forumReviews.textId);
  const [released] = await db
    .select({ n: sql`count(*)`.mapWith(Number) })
    .from(forumReviews)
    .where(and(eq(forumReviews.authorId, userId), eq(forumReviews.state, 'released'), forumReviews.links));
  const images = await imagesOf(db, rows);
  const waiting: WaitingText[] = rows.map(({ postId: _, since, ...row }) => ({
    ...row,
    images: images.filter((image) => image.postId === row.id).map(({ url, alt }) => ({ url, alt })),
    since: since.toISOString(),
    dueAt: reviewDue(since),
  }));
  return { ...(await levelOf(db, userId)), links: released?.n ?? 0, waiting };
}

/** Waiting texts of all members, oldest first. @throws errors of `requireModerator`. */
export async function reviewQueue(db: Reader, by: Writer): Promise<{ items: TextOfMember[]; more: boolean }> {
  requireModerator(by);
  const rows = await db
    .select({
      ...COLUMNS,
      username: sql`coalesce(${forumUsers.username}, 'User_' || left(${forumReviews.authorId}::text, 8))`.mapWith(
        asText,
      ),
      level: sql`coalesce(${memberTrust.level}, 0)`.mapWith(Number),
    })
    .from(forumReviews)
    .leftJoin(forumComments, eq(forumComments.id, forumReviews.commentId))
    .innerJoin(forumPosts, sql`${forumPosts.id} = coalesce(${forumReviews.postId}, ${forumComments.postId})`)
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, forumReviews.authorId))
    .leftJoin(memberTrust, eq(memberTrust.userId, forumReviews.authorId))
    .where(eq(forumReviews.state, 'waiting'))
    .orderBy(asc(forumReviews.since), forumReviews.textId)
    .limit(REVIEWS_SHOWN + 1);
  const page = rows.slice(0, REVIEWS_SHOWN);
  const images = await imagesOf(db, page);
  return {
    more: rows.length > REVIEWS_SHOWN,
    items: page.map(({ since, level, ...row }) => ({
      ...row,
      level: level as TrustLevel,
      images: images.filter((image) => image.postId === row.id).map(({ url, alt }) => ({ url, alt })),
      since: since.toISOString(),
      dueAt: reviewDue(since),
    })),
  };
}

/**
 * Publishes a waiting text, and notifies its author, unless it is a comment on a post that was hidden meanwhile.
 *
 * @throws NOT_FOUND, ALREADY_DONE for the later of two concurrent calls, FORBIDDEN for one's own, and errors of `requireModerator`.
 */
export async function release(db: Db, by: Writer, id: string): Promise<void> {
  requireModerator(by);
  const { viewer, actor, jobs, now } = by;
  await db.transaction(async (tx) => {
    const { what, authorId } = await lockReview(tx, id);
    const { postId, title } = await contentOf(tx, { what, id });
    await publishHeld(tx, { what, id }, now, viewer.id);
    await applyTrustRules(tx, authorId, now);
    if (await isShown(tx, postId))
      await notifyOfDecision(tx, jobs, {
        userId: authorId,
        what: 'text_released',
        cause: `review:${id}`,
        title,
        path: `/forum/${postId}${what === 'comment' ? `#${commentAnchor(id)}` : ''}`,
        now,
      });
    await audit(tx, actor, { action: `${what}.review_released`, resourceType: what, resourceId: id });
  });
}

/**
 * Declines a waiting text: a removal by a rule, of which its author is notified and may appeal (ADR 0061).
 *
 * @throws errors of `release`.
 */
export async function decline(
  db: Db,
  by: Writer,
  { id, rule, reason }: { id: string; rule: RemovalRule; reason: string },
): Promise<void> {
  requireModerator(by);
  const { viewer, actor, now, jobs } = by;
  await db.transaction(async (tx) => {
    const { what, authorId } = await lockReview(tx, id);
    if (authorId === viewer.id) fail('FORBIDDEN');
    await tx
      .update(forumReviews)
      .set({ state: 'declined', decidedAt: now, decidedBy: viewer.id })
      .where(eq(forumReviews.textId, id));
    const texts = what === 'post' ? forumPosts : forumComments;
    await tx.update(texts).set({ deletedBy: viewer.id, deletedAt: now }).where(eq(texts.id, id));
    await leaveInbox(tx, id);
    const role = viewer.isAdmin ? 'admin' : 'moderator';
    await recordRemoval(tx, { jobs, by: { id: viewer.id, role }, now }, { what, id, unseen: true }, { rule, reason });
    await publishChange(tx, 'forum');
    await audit(tx, actor, { action: `${what}.review_declined`, resourceType: what, resourceId: id, reason });
  });
}

/**
 * Withdraws the author's own waiting text. It has no answers, so it is deleted permanently, with its images.
 *
 * @throws NOT_FOUND also for another author's, ALREADY_DONE once it is decided.
 */
export async function withdraw(db: Db, { viewer, actor }: Writer, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { what, authorId } = await lockReview(tx, id);
    if (authorId !== viewer.id) fail('NOT_FOUND', { what: 'review' });
    const texts = what === 'post' ? forumPosts : forumComments;
    await tx.delete(texts).where(eq(texts.id, id));
    await leaveInbox(tx, id);
    await audit(tx, actor, { action: `${what}.review_withdrawn`, resourceType: what, resourceId: id });
  });
}
