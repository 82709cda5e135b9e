import { and, eq, sql } from 'drizzle-orm';
import type { EmojiType } from '#contract/domains/forum.ts';
import type { Db } from '#server/db/client.ts';
import { forumPosts, postReactionCounts, postReactions } from '#server/db/tables/forum.ts';
import { notifyOfReaction } from '#server/domains/notifications/notify.service.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { publish } from '#server/live/publish.ts';

/**
 * Sets whether a member reacts to a post with an emoji. The value is absolute, so that repeated and concurrent requests end in the
 * state of the last one. Not audited individually: the row itself has member and time.
 *
 * @returns the post's count of that emoji.
 * @throws NOT_FOUND when the post is not visible. @throws FORBIDDEN without a forum profile.
 */
export async function setReaction(
  db: Db,
  viewer: Viewer,
  input: { postId: string; emojiType: EmojiType; on: boolean },
  now: Date,
): Promise<number> {
  if (!viewer.isForumUser) fail('FORBIDDEN');
  const { postId, emojiType, on } = input;
  return db.transaction(async (tx) => {
    const post = await tx
      .select({ id: forumPosts.id })
      .from(forumPosts)
      .where(and(eq(forumPosts.id, postId), eq(forumPosts.isHidden, false)))
      .for('key share');
    if (post.length === 0) fail('NOT_FOUND', { what: 'post' });
    const { reactions } = postReactionCounts;
    // The counter's row first, as the lock of all reactions to this post with this emoji.
    await tx
      .insert(postReactionCounts)
      .values({ postId, emojiType, reactions: 0 })
      .onConflictDoUpdate({
        target: [postReactionCounts.postId, postReactionCounts.emojiType],
        set: { reactions: sql`${reactions}` },
      });
    const mine = and(
      eq(postReactions.postId, postId),
      eq(postReactions.userId, viewer.id),
      eq(postReactions.emojiType, emojiType),
    );
    const { rowCount } = on
      ? await tx
          .insert(postReactions)
          .values({ postId, userId: viewer.id, emojiType, createdAt: now })
          .onConflictDoNothing()
      : await tx.delete(postReactions).where(mine);
    const step = rowCount ? (on ? 1 : -1) : 0;
    const [counted] = await tx
      .update(postReactionCounts)
      .set({ reactions: sql`${reactions} + ${step}` })
      .where(and(eq(postReactionCounts.postId, postId), eq(postReactionCounts.emojiType, emojiType)))
      .returning({ reactions });
    if (step !== 0) await publish(tx, { type: 'post.changed', postId });
    if (step > 0) await notifyOfReaction(tx, { postId, actorId: viewer.id, now });
    return counted?.reactions ?? 0;
  });
}
