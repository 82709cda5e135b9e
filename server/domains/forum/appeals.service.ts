import { and, eq, sql } from 'drizzle-orm';
import type { AppealToDecide } from '#contract/admin/forum.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumComments, forumPosts } from '#server/db/tables/forum.ts';
import { inboxOwners } from '#server/db/tables/inbox.ts';
import { forumRemovalNotices, forumRemovals } from '#server/db/tables/removals.ts';
import { withLockedAdmins } from '#server/domains/account/roles/admins.service.ts';
import { notify } from '#server/domains/notifications/notify.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publish, publishChange } from '#server/live/publish.ts';
import { queueMail } from '#server/mail/mail.ts';
import { countComments, lockPostOf } from './comment-counter.service.ts';
import { publishHeld } from './held-texts.service.ts';
import { othersDecide } from './own-texts.service.ts';
import { PATH, pathIn, readerOf } from './removals.service.ts';
import { applyTrustRules } from './trust.service.ts';

type What = 'post' | 'comment';
const lockAppeal = async (tx: Tx, id: string) => {
  const [row] = await tx
    .select({
      what: forumRemovals.what,
      textId: forumRemovals.textId,
      outcome: forumRemovals.outcome,
      removedBy: forumRemovals.removedBy,
      unseen: forumRemovals.unseen,
      authorId: forumRemovalNotices.authorId,
      title: forumRemovalNotices.title,
      appealedAt: forumRemovalNotices.appealedAt,
    })
    .from(forumRemovals)
    .innerJoin(forumRemovalNotices, eq(forumRemovalNotices.removalId, forumRemovals.id))
    .where(eq(forumRemovals.id, id))
    .for('update');
  return row?.appealedAt ? row : fail('NOT_FOUND', { what: 'appeal' });
};

/** Everything needed to decide an appeal. @throws NOT_FOUND */
export async function readAppeal(db: Reader, me: string, id: string): Promise<AppealToDecide> {
  const [row] = await db
    .select({
      id: forumRemovals.id,
      what: forumRemovals.what,
      rule: forumRemovals.rule,
      removedAt: forumRemovals.removedAt,
      removedBy: forumRemovals.removedBy,
      authorId: forumRemovalNotices.authorId,
      removedByName:
        sql`(select f.username from forum_users f where f.new_auth_user_id = ${forumRemovals.removedBy})`.mapWith(
          orNull(asText),
        ),
      title: forumRemovalNotices.title,
      content: forumRemovalNotices.content,
      reason: forumRemovalNotices.reason,
      appeal: forumRemovalNotices.appeal,
    })
    .from(forumRemovals)
    .innerJoin(forumRemovalNotices, eq(forumRemovalNotices.removalId, forumRemovals.id))
    .where(eq(forumRemovals.id, id));
  if (!row || row.appeal === null) return fail('NOT_FOUND', { what: 'appeal' });
  const { removedBy, authorId, removedAt, appeal: text, ...rest } = row;
  const decider = await deciderOf(db, me, { removedBy, authorId });
  return { ...rest, appeal: text, removedAt: removedAt.toISOString(), decider };
}

/** Whether a person may decide an appeal, or why not; `alone`: as its remover, because nobody else can. */
async function deciderOf(
  db: Reader,
  me: string,
  { removedBy, authorId }: { removedBy: string | null; authorId: string },
): Promise<AppealToDecide['decider']> {
  if (authorId === me) return 'author';
  if (removedBy !== me) return 'free';
  return (await othersDecide(db, [me, authorId])) ? 'remover' : 'alone';
}

/**
 * Decides an appeal. The remover of the text decides only when nobody else on the team can, which is recorded; its author
 * never decides. If reversed, the text is shown again, unless the trash deleted it permanently meanwhile.
 *
 * @throws NOT_FOUND, ALREADY_DONE, FORBIDDEN for one's own appeal, and for one's own removal while somebody else can decide.
 */
export async function decideAppeal(
  db: Db,
  jobs: JobQueue,
  { actor, now }: { actor: Actor; now: Date },
  { id, outcome, answer }: { id: string; outcome: 'upheld' | 'reversed'; answer: string },
): Promise<void> {
  // Serialized with changes of staff, which could make somebody else available to decide.
  await withLockedAdmins(db, async (tx) => {
    const { what, textId, outcome: before, removedBy, authorId, title, unseen } = await lockAppeal(tx, id);
    if (before !== null) fail('ALREADY_DONE');
    const decider = await deciderOf(tx, actor.id ?? fail('FORBIDDEN'), { removedBy, authorId });
    if (decider === 'remover' || decider === 'author') fail('FORBIDDEN');
    const decidedAlone = decider === 'alone';
    if (outcome === 'reversed') await showAgain(tx, what, textId, now);
    await tx
      .update(forumRemovals)
      .set({ outcome, endedAt: now, endedBy: actor.id, decidedAlone })
      .where(eq(forumRemovals.id, id));
    await tx.update(forumRemovalNotices).set({ answer }).where(eq(forumRemovalNotices.removalId, id));
    await tx.delete(inboxOwners).where(and(eq(inboxOwners.source, 'appeal'), eq(inboxOwners.itemId, id)));
    await applyTrustRules(tx, authorId, now);
    await notify(tx, {
      kind: 'decisions',
      detail: `appeal_${outcome}`,
      cause: `appeal:${id}`,
      to: [{ id: authorId }],
      data: { title, path: PATH },
      now,
    });
    const { email, locale } = await readerOf(tx, authorId);
    if (email) {
      const data = { title, outcome, answer, decidedAlone, unseen, path: pathIn(locale) };
      await queueMail(tx, jobs, { to: email, locale, template: 'appealAnswered', data });
    }
    await publishChange(tx, 'forum');
    await audit(tx, actor, {
      action: `${what}.appeal_${outcome}`,
      resourceType: what,
      resourceId: textId,
      reason: answer,
      ...(decidedAlone ? { after: { decidedAlone } } : {}),
    });
  });
}

/** Shows a text that the team had hidden, if it still exists. */
async function showAgain(tx: Tx, what: What, id: string, now: Date): Promise<void> {
  if (await publishHeld(tx, { what, id }, now)) return;
  const shown = { isHidden: false, deletedBy: null, deletedAt: null };
  if (what === 'post') {
    const { rowCount } = await tx
      .update(forumPosts)
      .set(shown)
      .where(and(eq(forumPosts.id, id), eq(forumPosts.isHidden, true)));
    if (rowCount) await publish(tx, { type: 'post.changed', postId: id });
    return;
  }
  const postId = await lockPostOf(tx, id);
  const { rowCount } = await tx
    .update(forumComments)
    .set(shown)
    .where(and(eq(forumComments.id, id), eq(forumComments.isHidden, true)));
  if (!rowCount || !postId) return;
  await countComments(tx, postId, 1);
  await publish(tx, { type: 'post.changed', postId });
}
