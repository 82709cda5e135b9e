import { and, eq } from 'drizzle-orm';
import type { Post } from '#contract/domains/forum.ts';
import { EDIT_MINUTES } from '#contract/limits.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { forumUsers } from '#server/db/tables/accounts.ts';
import { forumPosts } from '#server/db/tables/forum.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publish } from '#server/live/publish.ts';
import { canEdit, isEditable, isModerator } from './forum.policy.ts';
import { findPost } from './forum-reads.service.ts';
import { type PostLabels, replaceTags } from './post-labels.service.ts';
import type { Writer } from './writer.ts';

/**
 * Changes category and tags of a post: its author within the time for editing, moderators and admins any at any time. It does not
 * count as an edit of the text, so it neither creates an earlier version nor marks the post as edited.
 *
 * @throws NOT_FOUND, FORBIDDEN for another author's, EDIT_WINDOW_CLOSED 15 minutes after the author wrote it, PASSWORD_INITIAL,
 *   SECOND_FACTOR_REQUIRED
 */
export async function relabelPost(
  db: Db,
  writer: Writer,
  { id, category, tags }: { id: string } & Pick<PostLabels, 'category' | 'tags'>,
): Promise<Post> {
  const { viewer, actor, now, missingRequirement } = writer;
  return db.transaction(async (tx) => {
    const old = await lockLabels(tx, id);
    const byAuthor = canEdit(viewer, old) && isEditable(old, now, EDIT_MINUTES);
    if (!byAuthor && !isModerator(viewer)) fail(canEdit(viewer, old) ? 'EDIT_WINDOW_CLOSED' : 'FORBIDDEN');
    if (!byAuthor && missingRequirement) fail(missingRequirement);
    const before = await replaceTags(tx, { postId: id, createdAt: old.createdAt }, tags);
    await tx.update(forumPosts).set({ category }).where(eq(forumPosts.id, id));
    await publish(tx, { type: 'post.changed', postId: id });
    await audit(tx, actor, {
      action: 'post.relabelled',
      resourceType: 'post',
      resourceId: id,
      before: { category: old.category, tags: before },
      after: { category, tags: [...tags] },
    });
    return findPost(tx, id);
  });
}

async function lockLabels(tx: Tx, id: string) {
  const [row] = await tx
    .select({ category: forumPosts.category, createdAt: forumPosts.createdAt, authorId: forumUsers.newAuthUserId })
    .from(forumPosts)
    .leftJoin(forumUsers, eq(forumUsers.id, forumPosts.forumUserId))
    .where(and(eq(forumPosts.id, id), eq(forumPosts.isHidden, false)))
    .for('no key update', { of: forumPosts });
  return row ?? fail('NOT_FOUND', { what: 'post' });
}
