import { and, eq, isNull } from 'drizzle-orm';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { forumComments, forumPosts, forumReports } from '#server/db/tables/forum.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publish } from '#server/live/publish.ts';
import { countComments, lockPostOf } from './comment-counter.service.ts';
import { type Moderating, type RemovalReason, recordRemoval } from './removals.service.ts';
import type { Writer } from './writer.ts';

/**
 * Reports a post or comment to the moderators; one report per member and text.
 *
 * @throws NOT_FOUND when it is not visible, ALREADY_DONE for a second report.
 */
export async function report(
  db: Db,
  { viewer, actor, now }: Writer,
  input: { what: 'post' | 'comment'; id: string; reason: 'spam' | 'scam' | 'abuse' | 'other'; note: string },
): Promise<void> {
  const { what, id, reason } = input;
  const note = cleanText(input.note, 'text') || null;
  await db.transaction(async (tx) => {
    const texts = what === 'post' ? forumPosts : forumComments;
    const seen = await tx
      .select({ id: texts.id })
      .from(texts)
      .where(and(eq(texts.id, id), eq(texts.isHidden, false)))
      // Waits for a concurrent removal, which resolves the reports that it sees.
      .for('share');
    if (seen.length === 0) fail('NOT_FOUND', { what });
    const { rowCount } = await tx
      .insert(forumReports)
      .values({
        postId: what === 'post' ? id : null,
        commentId: what === 'comment' ? id : null,
        reporterId: viewer.id,
        reason,
        note,
        createdAt: now,
        // Placeholder: a trigger replaces it by the time at which the text was written.
        textCreatedAt: now,
      })
      .onConflictDoNothing();
    if (!rowCount) fail('ALREADY_DONE');
    await audit(tx, actor, { action: `${what}.reported`, resourceType: what, resourceId: id, after: { reason } });
  });
}

/**
 * Resolves the open reports of a text, in the transaction that hides or keeps it.
 *
 * @param by the staff member who decided.
 * @returns the number of resolved reports.
 */
export async function resolveReportsOf(
  tx: Tx,
  { what, id }: { what: 'post' | 'comment'; id: string },
  resolution: 'kept' | 'hidden',
  by: { id: string | null; now: Date },
): Promise<number> {
  const { rowCount } = await tx
    .update(forumReports)
    .set({ resolvedAt: by.now, resolvedBy: by.id, resolution })
    .where(
      and(isNull(forumReports.resolvedAt), eq(what === 'post' ? forumReports.postId : forumReports.commentId, id)),
    );
  return rowCount ?? 0;
}

/**
 * Hides a reported text by a rule and notifies its author, in the transaction that resolves its reports; an already hidden text is
 * not changed.
 */
export async function hideReported(
  tx: Tx,
  moderating: Moderating,
  { what, id }: { what: 'post' | 'comment'; id: string },
  because: RemovalReason,
): Promise<void> {
  const hidden = { isHidden: true, deletedBy: moderating.by.id, deletedAt: moderating.now };
  if (what === 'post') {
    const { rowCount } = await tx
      .update(forumPosts)
      .set(hidden)
      .where(and(eq(forumPosts.id, id), eq(forumPosts.isHidden, false)));
    if (!rowCount) return;
    await recordRemoval(tx, moderating, { what, id }, because);
    await publish(tx, { type: 'post.changed', postId: id });
    return;
  }
  const postId = await lockPostOf(tx, id);
  const { rowCount } = await tx
    .update(forumComments)
    .set(hidden)
    .where(and(eq(forumComments.id, id), eq(forumComments.isHidden, false)));
  if (!rowCount || !postId) return;
  await countComments(tx, postId, -1);
  await recordRemoval(tx, moderating, { what, id }, because);
  await publish(tx, { type: 'post.changed', postId });
}
