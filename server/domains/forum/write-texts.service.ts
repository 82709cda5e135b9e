import { randomBytes } from 'node:crypto';
import { ORPCError } from '@orpc/server';
import { and, asc, eq, gt, isNull, type SQL } from 'drizzle-orm';
import type { Comment, Post, ReviewWhy } from '#contract/domains/forum.ts';
import {
  COMMENT_MAX,
  EDIT_MINUTES,
  type Limit,
  NEW_MEMBER_HOURS,
  POST_CONTENT_MAX,
  POST_TITLE_MAX,
  REPEAT_MINUTES,
} from '#contract/limits.ts';
import { cleanText, READABLE } from '#contract/text/clean-text.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { forumComments, forumEdits, forumPosts } from '#server/db/tables/forum.ts';
import { notifyOfEdit, notifyOfText } from '#server/domains/notifications/notify.service.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { consumeRateLimits, type LimitUse } from '#server/lib/rate-limits/rate-limit.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { publish } from '#server/live/publish.ts';
import { countComments, hasAnswers } from './comment-counter.service.ts';
import { lockCommentUnderPost } from './comment-counter.sql.ts';
import { canDelete, canEdit, isEditable } from './forum.policy.ts';
import { findComment, findPost } from './forum-reads.service.ts';
import { dropImages, labelPost, type PostLabels, quoteComment } from './post-labels.service.ts';
import { type RemovalReason, recordRemoval } from './removals.service.ts';
import { resolveReportsOf } from './reports.service.ts';
import { checkEdit, reviewOf, startReview } from './review.service.ts';
import type { Writer } from './writer.ts';

/** Rate limits of a member's texts: between two of them, for a new account, and per day. */
interface WriteLimits {
  pause: Limit;
  pauseNew: Limit;
  day?: Limit;
}

/** A written text; with `review`, only its author and staff see it until it is released. */
type Published<Text> = Text & { review?: { why: ReviewWhy; dueAt: string } };

/**
 * Publishes a post, or holds it for a review.
 *
 * @throws RATE_LIMITED one per 15 s (60 s in the first day of an account), 20 a day.
 * @throws DUPLICATE_POST when the same author posted the same text within 5 minutes and it was not deleted.
 * @throws NOT_FOUND when the token is not public, or an image is not the author's own.
 * @throws REVIEWS_FULL when the maximum number of the author's texts is waiting.
 */
export async function createPost(
  db: Db,
  writer: Writer,
  input: { title: string; content: string } & Partial<PostLabels>,
  limits: WriteLimits,
): Promise<Published<Post>> {
  const { viewer, actor, now } = writer;
  const title = readable(input.title, 'line', POST_TITLE_MAX);
  const content = readable(input.content, 'text', POST_CONTENT_MAX);
  return db.transaction(async (tx) => {
    const profile = await ensureProfile(tx, viewer);
    const [same] = await tx
      .select({ id: forumPosts.id })
      .from(forumPosts)
      .where(
        and(
          eq(forumPosts.forumUserId, profile),
          eq(forumPosts.title, title),
          eq(forumPosts.content, content),
          isNull(forumPosts.deletedAt),
          gt(forumPosts.createdAt, minutesBefore(now, REPEAT_MINUTES)),
        ),
      )
      .limit(1);
    if (same) fail('DUPLICATE_POST', { id: same.id });
    await takePause(tx, viewer, now, 'post', limits);
    const held = await reviewOf(tx, writer, `${title}\n${content}`);
    const [made] = await tx
      .insert(forumPosts)
      .values({ title, content, forumUserId: profile, category: input.category ?? 'general', createdAt: now })
      .returning({ id: forumPosts.id });
    const id = made?.id ?? '';
    await labelPost(tx, { postId: id, authorId: viewer.id, now }, input);
    if (held) return { ...(await findPost(tx, id)), review: await startReview(tx, writer, { what: 'post', id }, held) };
    await publish(tx, { type: 'post.created', postId: id, ...(input.about ? { about: input.about.id } : {}) });
    await notifyOfText(tx, { postId: id, text: `${title}\n${content}`, actorId: viewer.id, now });
    await audit(tx, actor, { action: 'post.created', resourceType: 'post', resourceId: id, after: { title } });
    return findPost(tx, id);
  });
}

/**
 * Publishes a comment on a post, or holds it for a review.
 *
 * @throws NOT_FOUND when the post is not visible, or the quoted comment does not belong to it.
 * @throws RATE_LIMITED one per 5 s (30 s in the first day of an account).
 * @throws DUPLICATE_POST when the same member wrote the same there within 5 minutes and it was not deleted.
 * @throws REVIEWS_FULL when the maximum number of the member's texts is waiting.
 */
export async function createComment(
  db: Db,
  writer: Writer,
  input: { postId: string; content: string; quoted?: string | undefined },
  limits: WriteLimits,
): Promise<Published<Comment>> {
  const { viewer, actor, now } = writer;
  const content = readable(input.content, 'text', COMMENT_MAX);
  return db.transaction(async (tx) => {
    await ensureProfile(tx, viewer);
    const post = await tx
      .select({ id: forumPosts.id })
      .from(forumPosts)
      .where(and(eq(forumPosts.id, input.postId), eq(forumPosts.isHidden, false)))
      .for('no key update');
    if (post.length === 0) fail('NOT_FOUND', { what: 'post' });
    const [same] = await tx
      .select({ id: forumComments.id })
      .from(forumComments)
      .where(
        and(
          eq(forumComments.userId, viewer.id),
          eq(forumComments.postId, input.postId),
          eq(forumComments.content, content),
          // Includes hidden ones under review: an author whose response was lost sends the same text again.
          isNull(forumComments.deletedAt),
          gt(forumComments.createdAt, minutesBefore(now, REPEAT_MINUTES)),
        ),
      )
      .limit(1);
    if (same) fail('DUPLICATE_POST', { id: same.id });
    await takePause(tx, viewer, now, 'comment', limits);
    const held = await reviewOf(tx, writer, content);
    const [made] = await tx
      .insert(forumComments)
      .values({ postId: input.postId, userId: viewer.id, content, createdAt: now })
      .returning({ id: forumComments.id });
    const id = made?.id ?? '';
    if (input.quoted) await quoteComment(tx, { commentId: id, postId: input.postId, quotedId: input.quoted });
    if (held) {
      const comment = await findComment(tx, id);
      return { ...comment, review: await startReview(tx, writer, { what: 'comment', id }, held) };
    }
    await countComments(tx, input.postId, 1);
    await publish(tx, { type: 'post.changed', postId: input.postId });
    await notifyOfText(tx, {
      postId: input.postId,
      commentId: id,
      ...(input.quoted ? { quotedId: input.quoted } : {}),
      text: content,
      actorId: viewer.id,
      now,
    });
    await audit(tx, actor, {
      action: 'comment.created',
      resourceType: 'comment',
      resourceId: id,
      after: { postId: input.postId },
    });
    return findComment(tx, id);
  });
}

/**
 * Edits the author's own post.
 *
 * @throws NOT_FOUND, FORBIDDEN for another author's, EDIT_WINDOW_CLOSED 15 minutes after it was written.
 * @throws EDIT_NEEDS_REVIEW when the new text would have to wait for a review.
 */
export async function editPost(
  db: Db,
  writer: Writer,
  input: { id: string; title: string; content: string },
): Promise<Post> {
  const { viewer, actor, now } = writer;
  const title = readable(input.title, 'line', POST_TITLE_MAX);
  const content = readable(input.content, 'text', POST_CONTENT_MAX);
  return db.transaction(async (tx) => {
    const old = await lockPost(tx, input.id);
    if (!canEdit(viewer, old)) fail('FORBIDDEN');
    if (!isEditable(old, now, EDIT_MINUTES)) fail('EDIT_WINDOW_CLOSED');
    await checkEdit(tx, writer, `${title}\n${content}`);
    await tx.insert(forumEdits).values({ postId: input.id, title: old.title, content: old.content, replacedAt: now });
    await tx.update(forumPosts).set({ title, content, editedAt: now }).where(eq(forumPosts.id, input.id));
    await publish(tx, { type: 'post.changed', postId: input.id });
    const earlier = await earlierTexts(tx, eq(forumEdits.postId, input.id));
    await notifyOfEdit(tx, { postId: input.id, text: `${title}\n${content}`, earlier, actorId: viewer.id, now });
    // The earlier version is in forum_edits alone, which is deleted with the account; the log never is.
    await audit(tx, actor, { action: 'post.edited', resourceType: 'post', resourceId: input.id });
    return findPost(tx, input.id);
  });
}

/** Edits the author's own comment; same rules and errors as for posts. */
export async function editComment(db: Db, writer: Writer, input: { id: string; content: string }): Promise<Comment> {
  const { viewer, actor, now } = writer;
  const content = readable(input.content, 'text', COMMENT_MAX);
  return db.transaction(async (tx) => {
    const old = await lockComment(tx, input.id);
    if (!canEdit(viewer, old)) fail('FORBIDDEN');
    if (!isEditable(old, now, EDIT_MINUTES)) fail('EDIT_WINDOW_CLOSED');
    await checkEdit(tx, writer, content);
    await tx.insert(forumEdits).values({ commentId: input.id, content: old.content, replacedAt: now });
    await tx.update(forumComments).set({ content, editedAt: now }).where(eq(forumComments.id, input.id));
    await publish(tx, { type: 'post.changed', postId: old.postId });
    const earlier = await earlierTexts(tx, eq(forumEdits.commentId, input.id));
    const { postId } = old;
    await notifyOfEdit(tx, { postId, commentId: input.id, text: content, earlier, actorId: viewer.id, now });
    await audit(tx, actor, { action: 'comment.edited', resourceType: 'comment', resourceId: input.id });
    return findComment(tx, input.id);
  });
}

/** All earlier versions of a text, oldest first, as they are searched for mentions. */
async function earlierTexts(tx: Tx, ofText: SQL): Promise<string[]> {
  const rows = await tx
    .select({ title: forumEdits.title, content: forumEdits.content })
    .from(forumEdits)
    .where(ofText)
    .orderBy(asc(forumEdits.replacedAt));
  return rows.map(({ title, content }) => (title === null ? content : `${title}\n${content}`));
}

/**
 * Hides a post: its author at any time, moderators and admins any, by a rule and with a reason that its author is notified of.
 *
 * @throws NOT_FOUND, FORBIDDEN, BAD_REQUEST without rule or reason for another author's.
 */
export async function deletePost(db: Db, writer: Writer, { id, ...because }: Deletion): Promise<void> {
  const { viewer, actor, now, missingRequirement } = writer;
  await db.transaction(async (tx) => {
    const old = await lockPost(tx, id);
    if (!canDelete(viewer, old)) fail('FORBIDDEN');
    if (missingRequirement && old.authorId !== viewer.id) fail(missingRequirement);
    await tx
      .update(forumPosts)
      .set({ isHidden: true, deletedBy: viewer.id, deletedAt: now })
      .where(eq(forumPosts.id, id));
    const reports = old.authorId === viewer.id ? 0 : await removeByRule(tx, writer, { what: 'post', id }, because);
    // A post deleted by its author can't be restored, so its images are deleted; images of a post hidden by moderators are retained
    // for a restore, and not served.
    if (old.authorId === viewer.id) await dropImages(tx, id);
    // A placeholder remains for an author's own deletion while there are comments of others.
    const stays = old.authorId === viewer.id && (await hasAnswers(tx, id, viewer.id));
    await publish(tx, { type: stays ? 'post.changed' : 'post.removed', postId: id });
    await audit(tx, actor, {
      action: 'post.deleted',
      resourceType: 'post',
      resourceId: id,
      before: { title: old.title, authorId: old.authorId },
      ...(reports ? { after: { reports } } : {}),
      ...(because.reason ? { reason: because.reason } : {}),
    });
  });
}

/** Hides a comment; same rules and errors as for posts. @returns the post that it belongs to. */
export async function deleteComment(db: Db, writer: Writer, { id, ...because }: Deletion): Promise<string> {
  const { viewer, actor, now, missingRequirement } = writer;
  return db.transaction(async (tx) => {
    const old = await lockComment(tx, id);
    if (!canDelete(viewer, old)) fail('FORBIDDEN');
    if (missingRequirement && old.authorId !== viewer.id) fail(missingRequirement);
    await tx
      .update(forumComments)
      .set({ isHidden: true, deletedBy: viewer.id, deletedAt: now })
      .where(eq(forumComments.id, id));
    const reports = old.authorId === viewer.id ? 0 : await removeByRule(tx, writer, { what: 'comment', id }, because);
    await countComments(tx, old.postId, -1);
    await publish(tx, { type: 'post.changed', postId: old.postId });
    await audit(tx, actor, {
      action: 'comment.deleted',
      resourceType: 'comment',
      resourceId: id,
      before: { content: old.content, authorId: old.authorId },
      ...(reports ? { after: { reports } } : {}),
      ...(because.reason ? { reason: because.reason } : {}),
    });
    return old.postId;
  });
}

interface Deletion extends Partial<RemovalReason> {
  id: string;
}

/**
 * Removes another author's text and resolves its open reports.
 *
 * @returns the number of these. @throws BAD_REQUEST without rule and reason.
 */
async function removeByRule(
  tx: Tx,
  { viewer, jobs, now }: Writer,
  text: { what: 'post' | 'comment'; id: string },
  { rule, reason }: Partial<RemovalReason>,
): Promise<number> {
  if (!rule || !reason) throw new ORPCError('BAD_REQUEST', { message: 'A removal names a rule and a reason' });
  const role = viewer.isAdmin ? 'admin' : 'moderator';
  await recordRemoval(tx, { jobs, by: { id: viewer.id, role }, now }, text, { rule, reason });
  return resolveReportsOf(tx, text, 'hidden', { id: viewer.id, now });
}

/**
 * The cleaned text. Invisible characters alone are not a text, and normalization can make it longer than what was typed.
 *
 * @throws BAD_REQUEST when the text is empty or too long.
 */
function readable(value: string, kind: 'line' | 'text', max: number): string {
  const clean = cleanText(value, kind);
  if (clean.length > max || !READABLE.test(clean))
    throw new ORPCError('BAD_REQUEST', { message: 'No readable text, or too long' });
  return clean;
}

/** The member's profile; the one with the member's own id is linked again. */
async function profileOf(tx: Tx, userId: string): Promise<string | undefined> {
  const { id, newAuthUserId } = forumUsers;
  const [linked] = await tx.select({ id }).from(forumUsers).where(eq(newAuthUserId, userId));
  if (linked) return linked.id;
  const [own] = await tx.update(forumUsers).set({ newAuthUserId: userId }).where(eq(id, userId)).returning({ id });
  return own?.id;
}

/** Maximum of names generated for a profile until one is unused. */
const NAMES_DRAWN = 5;

/**
 * Every account gets its profile at sign-up; this recreates a missing one. If the name that belongs to the id is taken,
 * another one is generated, as at sign-up.
 *
 * @returns id of the forum profile.
 */
async function ensureProfile(tx: Tx, { id }: Viewer): Promise<string> {
  const found = await profileOf(tx, id);
  if (found) return found;
  const names = [id.slice(0, 8), ...Array.from({ length: NAMES_DRAWN }, () => randomBytes(4).toString('hex'))];
  for (const name of names) {
    const values = { id, username: `User_${name}`, walletAddress: `user_${id}`, newAuthUserId: id };
    const [made] = await tx.insert(forumUsers).values(values).onConflictDoNothing().returning({ id: forumUsers.id });
    // Not inserted: the name is taken, or a concurrent call of the member created the profile.
    const profile = made?.id ?? (await profileOf(tx, id));
    if (profile) return profile;
  }
  return fail('FORBIDDEN');
}

async function takePause(
  tx: Tx,
  viewer: Viewer,
  now: Date,
  what: 'post' | 'comment',
  { pause, pauseNew, day }: WriteLimits,
): Promise<void> {
  const [account] = await tx.select({ createdAt: users.createdAt }).from(users).where(eq(users.id, viewer.id));
  const fresh = account === undefined || account.createdAt > minutesBefore(now, NEW_MEMBER_HOURS * 60);
  const takes: LimitUse[] = [{ key: `${what}:${viewer.id}`, limit: fresh ? pauseNew : pause }];
  if (day) takes.push({ key: `${what}-day:${viewer.id}`, limit: day });
  await consumeRateLimits(tx, takes, now);
}

const minutesBefore = (now: Date, minutes: number): Date => new Date(now.getTime() - minutes * 60_000);

async function lockPost(tx: Tx, id: string) {
  const [row] = await tx
    .select({
      title: forumPosts.title,
      content: forumPosts.content,
      createdAt: forumPosts.createdAt,
      authorId: forumUsers.newAuthUserId,
    })
    .from(forumPosts)
    .leftJoin(forumUsers, eq(forumUsers.id, forumPosts.forumUserId))
    .where(and(eq(forumPosts.id, id), eq(forumPosts.isHidden, false)))
    .for('no key update', { of: forumPosts });
  return row ?? fail('NOT_FOUND', { what: 'post' });
}

async function lockComment(tx: Tx, id: string) {
  const [row] = await lockCommentUnderPost(tx, { id });
  return row ?? fail('NOT_FOUND', { what: 'comment' });
}
