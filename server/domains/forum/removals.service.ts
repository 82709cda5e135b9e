import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { MyRemoval, RemovalEntry, RemovalRule } from '#contract/domains/forum.ts';
import { APPEAL_DAYS, REMOVALS_SHOWN } from '#contract/limits.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import { forumComments, forumPosts } from '#server/db/tables/forum.ts';
import { inboxOwners } from '#server/db/tables/inbox.ts';
import { forumRemovalNotices, forumRemovals } from '#server/db/tables/removals.ts';
import { memberLocale } from '#server/domains/notifications/member-locale.service.ts';
import { notify } from '#server/domains/notifications/notify.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import type { Trash } from '#server/records/trash.ts';

/** Condition on a text `t`: its author appealed against its removal, and nobody decided yet. */
const HAS_OPEN_APPEAL = `exists (select 1 from forum_removals r join forum_removal_notices n on n.removal_id = r.id
  where r.text_id = t.id and r.outcome is null and n.appealed_at is not null)`;

export const COMMENT_TRASH: Trash = { table: 'forum_comments', show: ['postId'], keep: HAS_OPEN_APPEAL };

/** Comments are deleted with their post, so it is retained until the last of them, which may be restored until then, has left the trash. */
export const POST_TRASH: Trash = {
  table: 'forum_posts',
  show: ['title'],
  keep: `(exists (select 1 from forum_comments c where c.post_id = t.id) or ${HAS_OPEN_APPEAL})`,
};

type What = 'post' | 'comment';
const DAY = 86_400_000;
/** Path of the page where authors read about a removal and appeal. */
export const PATH = '/moderation';
export const pathIn = (locale: MailLocale) => (locale === 'en' ? `/en${PATH}` : PATH);

/** Rule and reason of a removal by the team. */
export interface RemovalReason {
  rule: RemovalRule;
  /** Written reason, for the author. */
  reason: string;
}

/** The staff member who acts. */
export interface Moderating {
  jobs: JobQueue;
  by: { id: string | null; role: 'moderator' | 'admin' };
  now: Date;
}

/** Circumstances of a removal. */
export interface Removed {
  what: What;
  id: string;
  /** True when it was declined before it was ever shown. */
  unseen?: boolean;
}

const appealUntil = (removedAt: Date): Date => new Date(removedAt.getTime() + APPEAL_DAYS * DAY);

async function textOf(tx: Tx, what: What, id: string) {
  const [row] =
    what === 'post'
      ? await tx
          .select({ title: forumPosts.title, content: forumPosts.content, authorId: forumUsers.newAuthUserId })
          .from(forumPosts)
          .leftJoin(forumUsers, eq(forumUsers.id, forumPosts.forumUserId))
          .where(eq(forumPosts.id, id))
      : await tx
          .select({ title: forumPosts.title, content: forumComments.content, authorId: forumComments.userId })
          .from(forumComments)
          .innerJoin(forumPosts, eq(forumPosts.id, forumComments.postId))
          .where(eq(forumComments.id, id));
  return row ?? fail('NOT_FOUND', { what });
}

/** The member's mailbox, null while it is unproven, and the language of mails to it. */
export async function readerOf(tx: Tx, id: string): Promise<{ email: string | null; locale: MailLocale }> {
  const [row] = await tx
    .select({ email: users.email, proven: users.emailVerified })
    .from(users)
    .where(eq(users.id, id));
  return row?.proven
    ? { email: row.email, locale: await memberLocale(tx, { id, email: row.email }) }
    : { email: null, locale: 'es' };
}

/**
 * Stores why the team hid a text, and notifies its author with a copy of it: in the notifications, and by mail if the mailbox is
 * proven (otherwise a stranger could receive a text written in their name). Removing one's own text is not a removal. Part of the
 * transaction that hides it.
 */
export async function recordRemoval(
  tx: Tx,
  { jobs, by, now }: Moderating,
  { what, id, unseen = false }: Removed,
  { rule, reason }: RemovalReason,
): Promise<void> {
  const { title, content, authorId } = await textOf(tx, what, id);
  if (authorId !== null && authorId === by.id) return;
  const [made] = await tx
    .insert(forumRemovals)
    .values({ what, textId: id, rule, removedAt: now, removedBy: by.id, removedByRole: by.role, unseen })
    .returning({ id: forumRemovals.id });
  if (!made || authorId === null) return;
  await tx.insert(forumRemovalNotices).values({ removalId: made.id, authorId, title, content, reason });
  await notify(tx, {
    kind: 'decisions',
    detail: unseen ? 'text_declined' : 'text_removed',
    cause: `removal:${made.id}`,
    to: [{ id: authorId }],
    data: { title, path: PATH },
    now,
  });
  const { email, locale } = await readerOf(tx, authorId);
  if (!email) return;
  await queueMail(tx, jobs, {
    to: email,
    locale,
    template: unseen ? 'textDeclined' : 'textRemoved',
    data: { title, content, rule, reason, path: pathIn(locale), appealUntil: appealUntil(now).toISOString() },
  });
}

/** Ends the removal of a text that is shown again. Part of the transaction that shows it. */
export async function endRemoval(tx: Tx, textId: string, by: string | null, now: Date): Promise<void> {
  await tx
    .update(forumRemovals)
    .set({ outcome: 'restored', endedAt: now, endedBy: by })
    .where(
      and(eq(forumRemovals.textId, textId), or(isNull(forumRemovals.outcome), eq(forumRemovals.outcome, 'upheld'))),
    );
  await tx
    .delete(inboxOwners)
    .where(
      and(
        eq(inboxOwners.source, 'appeal'),
        sql`${inboxOwners.itemId} in (select id::text from forum_removals where text_id = ${textId})`,
      ),
    );
}

/**
 * Reopens the removal of a text that was shown again, with the state of its appeal. Part of the transaction that hides it again.
 *
 * @param createdAt of the text: one that the restore published for the first time is newer than its removal.
 * @returns who had removed it, when and why; null when no removal can be reopened.
 */
export async function reopenRemoval(
  tx: Tx,
  { what, id }: { what: What; id: string },
  createdAt: Date,
): Promise<{ by: string | null; at: Date; reason: string | null } | null> {
  const [removal] = await tx
    .select({
      id: forumRemovals.id,
      outcome: forumRemovals.outcome,
      by: forumRemovals.removedBy,
      at: forumRemovals.removedAt,
      reason: forumRemovalNotices.reason,
    })
    .from(forumRemovals)
    .leftJoin(forumRemovalNotices, eq(forumRemovalNotices.removalId, forumRemovals.id))
    .where(eq(forumRemovals.textId, id))
    .orderBy(desc(forumRemovals.removedAt))
    .limit(1)
    .for('update', { of: forumRemovals });
  if (removal?.outcome !== 'restored' || createdAt > removal.at) return null;
  // The restore overwrote the outcome of an appeal; the audit log still has it.
  const [upheld] = await tx
    .select({ endedAt: auditEvents.at, endedBy: auditEvents.actorId })
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.resourceType, what),
        eq(auditEvents.resourceId, id),
        eq(auditEvents.action, `${what}.appeal_upheld`),
        gte(auditEvents.at, removal.at),
      ),
    )
    .limit(1);
  await tx
    .update(forumRemovals)
    .set(upheld ? { outcome: 'upheld', ...upheld } : { outcome: null, endedAt: null, endedBy: null })
    .where(eq(forumRemovals.id, removal.id));
  return { by: removal.by, at: removal.at, reason: removal.reason };
}

/** Public log of removals by the team, newest first, without members' names. @param page from 1. */
export async function removalLog(db: Reader, page: number): Promise<{ items: RemovalEntry[]; more: boolean }> {
  const rows = await db
    .select({
      id: forumRemovals.id,
      what: forumRemovals.what,
      rule: forumRemovals.rule,
      by: forumRemovals.removedByRole,
      at: forumRemovals.removedAt,
      outcome: forumRemovals.outcome,
      unseen: forumRemovals.unseen,
      decidedAlone: forumRemovals.decidedAlone,
      appealedAt: forumRemovalNotices.appealedAt,
    })
    .from(forumRemovals)
    .leftJoin(forumRemovalNotices, eq(forumRemovalNotices.removalId, forumRemovals.id))
    .orderBy(desc(forumRemovals.removedAt), forumRemovals.id)
    .offset((page - 1) * REMOVALS_SHOWN)
    .limit(REMOVALS_SHOWN + 1);
  return {
    more: rows.length > REMOVALS_SHOWN,
    items: rows
      .slice(0, REMOVALS_SHOWN)
      .map(({ at, appealedAt, ...row }) => ({ ...row, at: at.toISOString(), appealed: appealedAt !== null })),
  };
}

/** A member's own removed texts, newest first. */
export async function removalsOf(db: Reader, userId: string): Promise<MyRemoval[]> {
  const rows = await db
    .select({
      id: forumRemovals.id,
      what: forumRemovals.what,
      rule: forumRemovals.rule,
      at: forumRemovals.removedAt,
      outcome: forumRemovals.outcome,
      unseen: forumRemovals.unseen,
      decidedAlone: forumRemovals.decidedAlone,
      title: forumRemovalNotices.title,
      content: forumRemovalNotices.content,
      reason: forumRemovalNotices.reason,
      appeal: forumRemovalNotices.appeal,
      answer: forumRemovalNotices.answer,
    })
    .from(forumRemovalNotices)
    .innerJoin(forumRemovals, eq(forumRemovals.id, forumRemovalNotices.removalId))
    .where(eq(forumRemovalNotices.authorId, userId))
    .orderBy(desc(forumRemovals.removedAt), forumRemovals.id)
    .limit(REMOVALS_SHOWN);
  return rows.map(({ at, ...row }) => ({
    ...row,
    at: at.toISOString(),
    appealUntil: appealUntil(at).toISOString(),
  }));
}

/**
 * Appeals against the removal of the author's own text, once.
 *
 * @throws NOT_FOUND, also for another author's. @throws ALREADY_DONE for a second one, and once it is decided.
 * @throws APPEAL_CLOSED 14 days after the removal.
 */
export async function appeal(
  db: Db,
  { viewer, actor, now }: { viewer: { id: string }; actor: Actor; now: Date },
  { id, text }: { id: string; text: string },
): Promise<void> {
  const appealText = cleanText(text, 'text');
  await db.transaction(async (tx) => {
    const [row] = await tx
      .select({
        what: forumRemovals.what,
        textId: forumRemovals.textId,
        outcome: forumRemovals.outcome,
        removedAt: forumRemovals.removedAt,
        appealedAt: forumRemovalNotices.appealedAt,
      })
      .from(forumRemovals)
      .innerJoin(forumRemovalNotices, eq(forumRemovalNotices.removalId, forumRemovals.id))
      .where(and(eq(forumRemovals.id, id), eq(forumRemovalNotices.authorId, viewer.id)))
      .for('update');
    const { what, textId, outcome, removedAt, appealedAt } = row ?? fail('NOT_FOUND', { what: 'removal' });
    if (appealedAt !== null || outcome !== null) fail('ALREADY_DONE');
    if (now > appealUntil(removedAt)) fail('APPEAL_CLOSED');
    await tx
      .update(forumRemovalNotices)
      .set({ appeal: appealText, appealedAt: now })
      .where(eq(forumRemovalNotices.removalId, id));
    await publishChange(tx, 'forum');
    await audit(tx, actor, { action: `${what}.appealed`, resourceType: what, resourceId: textId });
  });
}

/**
 * Deletes the copies of removed texts, with reason, appeal and answer, after this many days; the public log remains. A copy with a
 * pending appeal is retained. @returns the number of deleted copies.
 */
export async function dropRemovalCopies(db: Db, days: number, now: Date): Promise<number> {
  const old = db
    .select({ id: forumRemovals.id })
    .from(forumRemovals)
    .where(lt(forumRemovals.removedAt, new Date(now.getTime() - days * DAY)));
  const over = db.select({ id: forumRemovals.id }).from(forumRemovals).where(isNotNull(forumRemovals.outcome));
  const { rowCount } = await db
    .delete(forumRemovalNotices)
    .where(
      and(
        inArray(forumRemovalNotices.removalId, old),
        or(isNull(forumRemovalNotices.appealedAt), inArray(forumRemovalNotices.removalId, over)),
      ),
    );
  return rowCount ?? 0;
}
