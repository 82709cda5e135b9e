import {
  and,
  arrayOverlaps,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  notInArray,
  or,
  sql,
} from 'drizzle-orm';
import type { AppealToDecide } from '#contract/admin/forum.ts';
import type { MyRemoval, RemovalEntry, RemovalRule } from '#contract/domains/forum.ts';
import { APPEAL_DAYS, REMOVALS_SHOWN } from '#contract/limits.ts';
import type { StaffRole } from '#contract/staff.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { adminProfiles, forumUsers, users } from '#server/db/tables/accounts.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import { forumComments, forumPosts } from '#server/db/tables/forum.ts';
import { inboxOwners } from '#server/db/tables/inbox.ts';
import { forumRemovalNotices, forumRemovals } from '#server/db/tables/removals.ts';
import { withLockedAdmins } from '#server/domains/account/roles/admins.service.ts';
import { memberLocale } from '#server/domains/notifications/member-locale.service.ts';
import { notify } from '#server/domains/notifications/notify.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { cleanText } from '#server/lib/text/clean-text.ts';
import { publish, publishChange } from '#server/live/publish.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import { countComments, lockPostOf } from './comment-counter.service.ts';
import { publishHeld } from './held-texts.service.ts';
import { applyTrustRules } from './trust.service.ts';

type What = 'post' | 'comment';
const DAY = 86_400_000;
/** Staff roles that decide appeals (`admin.forum.decideAppeal`). */
const DECIDING: StaffRole[] = ['owner', 'moderator'];
/** Path of the page where authors read about a removal and appeal. */
const PATH = '/moderation';
const pathIn = (locale: MailLocale) => (locale === 'en' ? `/en${PATH}` : PATH);

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
async function readerOf(tx: Tx, id: string): Promise<{ email: string | null; locale: MailLocale }> {
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
  // The restore had overwritten it.
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

/** What a person is to an appeal: free to decide, or why not; `alone` removed the text and may decide, because nobody else can. */
async function deciderOf(
  db: Reader,
  me: string,
  { removedBy, authorId }: { removedBy: string | null; authorId: string },
): Promise<AppealToDecide['decider']> {
  if (authorId === me) return 'author';
  if (removedBy !== me) return 'free';
  const [other] = await db
    .select({ id: adminProfiles.id })
    .from(adminProfiles)
    .innerJoin(users, eq(users.id, adminProfiles.id))
    .where(
      and(
        notInArray(adminProfiles.id, [me, authorId]),
        arrayOverlaps(adminProfiles.staffRoles, DECIDING),
        or(isNull(users.bannedUntil), lte(users.bannedUntil, sql`now()`)),
      ),
    )
    .limit(1);
  return other ? 'remover' : 'alone';
}

/**
 * Decides an appeal. Who removed the text decides only when nobody else on the team can, and the removal says so then; its author
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
  // Appointing somebody waits for this decision, or this decision for it.
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
