import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { forumComments, forumPosts } from '#server/db/tables/forum.ts';

/** Changes the counter of a post's visible comments. Its row must be locked already. */
export async function countComments(tx: Tx, postId: string, step: 1 | -1): Promise<void> {
  await tx
    .update(forumPosts)
    .set({ commentCount: sql`${forumPosts.commentCount} + ${step}` })
    .where(eq(forumPosts.id, postId));
}

/** True while somebody else's comment on a post is visible: a placeholder then remains when its author deletes it. */
export async function hasAnswers(tx: Tx, postId: string, authorId: string | null): Promise<boolean> {
  const { postId: ofPost, isHidden, userId } = forumComments;
  const answers = and(eq(ofPost, postId), eq(isHidden, false), sql`${userId} is distinct from ${authorId}::uuid`);
  return (await tx.$count(forumComments, answers)) > 0;
}

/** Locks the post of a comment, which comes first in the lock order of all writers of its counter. @returns its id, if it exists. */
export async function lockPostOf(tx: Tx, commentId: string): Promise<string | undefined> {
  const its = tx.select({ postId: forumComments.postId }).from(forumComments).where(eq(forumComments.id, commentId));
  const [post] = await tx
    .select({ id: forumPosts.id })
    .from(forumPosts)
    .where(eq(forumPosts.id, its))
    .for('no key update');
  return post?.id;
}
