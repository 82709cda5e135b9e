import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { BulkOutcome } from '#contract/admin/shared/bulk.ts';
import type { AdminUser } from '#contract/admin/users.ts';
import type { Limit } from '#contract/limits.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import { inboxOwners } from '#server/db/tables/inbox.ts';
import { writeUsername } from '#server/domains/account/account.service.ts';
import { moveMailbox } from '#server/domains/account/mailbox.service.ts';
import { announceRemoval, removeMember } from '#server/domains/account/removal.service.ts';
import { requireMayDemote, withLockedAdmins } from '#server/domains/account/roles/admins.service.ts';
import {
  isRequestedByOtherOwner,
  notifyStaff,
  requestOwnerConsent,
  requireRightsOver,
  staffOf,
} from '#server/domains/account/roles/staff-accounts.service.ts';
import { endSessions, isTaken, lockMember } from '#server/domains/auth/members.service.ts';
import { dropTokens, issueToken, tokenEnd } from '#server/domains/auth/one-time-tokens.service.ts';
import { pagePath } from '#server/domains/auth/verification.service.ts';
import { memberLocale } from '#server/domains/notifications/member-locale.service.ts';
import { lockVotesOf, restoreVotesOfBanned, voidVotesOfBanned } from '#server/domains/voting/banned-votes.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { normalizeMailbox } from '#server/lib/text/mailbox.ts';
import { publishChange } from '#server/live/publish.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import { forEachRecord } from '#server/records/bulk.ts';
import { lastChange, requireOwnLastChange } from '#server/records/last-change.ts';
import type { Editor } from '#server/records/records.ts';
import { readUser } from './list-users.service.ts';
import { markAddedByStaff, openAccount } from './manage.sql.ts';

/** Dependencies of these functions. */
export interface ServiceContext {
  db: Db;
  jobs: JobQueue;
  by: Editor;
}
type Results = Promise<{ results: BulkOutcome[] }>;

/** Lifetime of the link for the first password. Milliseconds. */
const FIRST_LINK = 86_400_000;

/**
 * Creates a member without a password; the mail has a link to choose one, valid for a day.
 *
 * @throws DUPLICATE with the field, also for a confusable name, RATE_LIMITED past the limit of mails to one mailbox.
 */
export async function createUser(
  { db, jobs, by }: ServiceContext,
  input: { email: string; username: string; confirmed: boolean; locale: MailLocale },
  limit: Limit,
): Promise<AdminUser> {
  const { email, confirmed, locale } = input;
  const username = input.username || null;
  await consumeRateLimits(db, [{ key: `mail:to:${normalizeMailbox(email)}`, limit }], by.now);
  return unique(async () =>
    db.transaction(async (tx) => {
      await markAddedByStaff(tx, {});
      const [inserted] = await tx
        .insert(users)
        .values({
          name: username ?? 'user',
          email,
          username,
          confirmedAt: confirmed ? by.now : null,
          confirmedBy: confirmed ? by.actor.id : null,
          createdAt: by.now,
          updatedAt: by.now,
        })
        .returning({ id: users.id });
      const id = inserted?.id ?? '';
      const token = await issueToken(tx, 'reset_password', {
        userId: id,
        email,
        locale,
        life: FIRST_LINK,
        now: by.now,
      });
      const data = { path: pagePath(locale, 'reset', token), until: tokenEnd('reset_password', by.now, FIRST_LINK) };
      await queueMail(tx, jobs, { to: email, locale, template: 'accountCreated', data });
      const made = await readUser(tx, id);
      await audit(tx, by.actor, {
        action: 'member.created',
        resourceType: 'member',
        resourceId: id,
        after: { confirmed },
      });
      return made;
    }),
  );
}

/**
 * Changes name or e-mail. The mailbox of staff only changes after its owner agrees by the link sent to the old one, or a second
 * owner requests the same; until then it is pending. A new mailbox has to be proven by its owner: until then the account counts as
 * unproven, its sessions and pending links are ended, and both mailboxes are notified.
 *
 * @throws NOT_FOUND, VERSION_CONFLICT, DUPLICATE, RATE_LIMITED past the limit of mails to the new mailbox
 */
export async function updateUser(
  { db, jobs, by }: ServiceContext,
  input: { id: string; version: number; email: string; username: string; locale: MailLocale },
  limit: Limit,
): Promise<AdminUser> {
  const { id, email, username } = input;
  return unique(() =>
    db.transaction(async (tx) => {
      await lockUser(tx, id);
      // Owners change their name without locking the member's row, so the profile row is locked too.
      await tx
        .select({ id: forumUsers.id })
        .from(forumUsers)
        .where(eq(forumUsers.newAuthUserId, id))
        .for('no key update');
      const old = await readUser(tx, id);
      if (old.version !== input.version) await conflict(tx, old);
      const moves = old.email !== email;
      if (!moves && old.username === username) return old;
      // A new name alone sends no mail, and must not use up those of the member, such as the ones with sign-in codes.
      if (moves) await consumeRateLimits(tx, [{ key: `mail:to:${normalizeMailbox(email)}`, limit }], by.now);
      if (old.username !== username) {
        await writeUsername(tx, id, username);
        await publishChange(tx, 'forum');
        await publishChange(tx, 'presence');
      }
      // Read before the change: the notice goes to the previous mailbox.
      const target = await staffOf(tx, id);
      const locale = await memberLocale(tx, old, input.locale);
      // A single admin could otherwise take over a colleague's account by its mailbox.
      const moved = moves && (old.role === 'user' || (await isRequestedByOtherOwner(tx, by, id, email)));
      if (moved) await moveMailbox(tx, jobs, await lockMember(tx, id), email, locale, by.now);
      else if (moves) await requestOwnerConsent(tx, jobs, by, { id, email: old.email, to: email, locale });
      await notifyStaff(tx, jobs, by, target, 'updated');
      const row = await readUser(tx, id);
      // Names and e-mails are not logged, because the log is never deleted.
      await audit(tx, by.actor, {
        action: 'member.updated',
        resourceType: 'member',
        resourceId: id,
        after: {
          ...(row.username === old.username ? {} : { nameChanged: true }),
          ...(moved ? { emailChanged: true } : {}),
          ...(moves && !moved ? { emailAsked: true } : {}),
        },
      });
      return row;
    }),
  );
}

/** Approves members; this does not prove who owns the mailbox. */
export const confirmUsers = ({ db, jobs, by }: ServiceContext, ids: string[]): Results =>
  forEachRecord(ids, (id) =>
    db.transaction(async (tx) => {
      await lockUser(tx, id);
      const { rowCount } = await tx
        .update(users)
        .set({ confirmedAt: by.now, confirmedBy: by.actor.id })
        .where(and(eq(users.id, id), isNull(users.confirmedAt)));
      if (!rowCount) return 'unchanged';
      await notifyStaff(tx, jobs, by, await staffOf(tx, id), 'confirmed');
      await audit(tx, by.actor, { action: 'member.confirmed', resourceType: 'member', resourceId: id });
      return 'done' as const;
    }),
  );

/**
 * Bans members for some days, or until they are unbanned; their sessions and links are ended. Their rights remain, but are not
 * effective meanwhile, and inbox items that they claimed are unclaimed. Their votes of the open round are void until the ban ends, by
 * hand or by time (`finishEndedBans`).
 */
export const banUsers = (
  { db, jobs, by }: ServiceContext,
  { ids, days, reason }: { ids: string[]; days: number | null; reason: string },
): Results => {
  const until = days === null ? 'infinity' : new Date(by.now.getTime() + days * 86_400_000).toISOString();
  return forEachRecord(ids, (id) =>
    withLockedAdmins(db, async (tx, admins) => {
      await requireMayDemote(tx, by.actor, admins, id);
      // Checked before the database can report who the last owner is, which an unauthorized admin must not learn.
      await requireRightsOver(tx, by, id);
      await lockVotesOf(tx, id);
      // A vote in progress locks this row: it completes before the ban, or is refused.
      const [old] = await tx
        .select({ before: sql`${users.bannedUntil}::text`.mapWith(orNull(asText)) })
        .from(users)
        .where(eq(users.id, id))
        .for('update');
      if (!old) return fail('NOT_FOUND', { what: 'member' });
      await tx
        .update(users)
        .set({ bannedUntil: sql`${until}` })
        .where(eq(users.id, id));
      const votes = await voidVotesOfBanned(tx, id, by.now);
      const sessions = await endSessions(tx, id);
      await dropTokens(tx, id);
      await tx.delete(inboxOwners).where(eq(inboxOwners.ownerId, id));
      await publishChange(tx, 'presence');
      await notifyStaff(tx, jobs, by, await staffOf(tx, id), 'banned');
      await audit(tx, by.actor, {
        action: days === null ? 'member.disabled' : 'member.banned',
        resourceType: 'member',
        resourceId: id,
        before: { bannedUntil: old.before },
        after: { bannedUntil: until, sessions, votes },
        reason,
      });
      return 'done' as const;
    }),
  );
};

/**
 * Unbans members; votes that their bans voided get their previous state.
 *
 * @param undo of the actor's own bans: an earlier ban that still lasts is in force again.
 */
export const unbanUsers = (
  { db, jobs, by }: ServiceContext,
  { ids, undo }: { ids: string[]; undo: boolean },
): Results =>
  forEachRecord(ids, (id) =>
    db.transaction(async (tx) => {
      await lockVotesOf(tx, id);
      await lockUser(tx, id);
      const restored = undo ? await restoreEarlierBan(tx, jobs, by, id) : undefined;
      if (restored) return restored;
      const [closed] = await openAccount(tx, { id });
      if (!closed) return 'unchanged';
      await notifyStaff(tx, jobs, by, await staffOf(tx, id), 'unbanned');
      const votes = await restoreVotesOfBanned(tx, id, by.now);
      await audit(tx, by.actor, {
        action: 'member.unbanned',
        resourceType: 'member',
        resourceId: id,
        before: { bannedUntil: closed.before },
        after: { bannedUntil: null, votes },
      });
      return 'done' as const;
    }),
  );

/**
 * Undoes the actor's own ban of a member who was banned before it. A repeated undo changes nothing: the ban that it would
 * restore is the undone one.
 *
 * @returns undefined when there was no earlier ban, or it is over.
 * @throws VERSION_CONFLICT when a colleague banned or unbanned the member since.
 */
async function restoreEarlierBan(
  tx: Tx,
  jobs: JobQueue,
  by: Editor,
  id: string,
): Promise<'done' | 'unchanged' | undefined> {
  const last = await requireOwnLastChange(tx, by.actor, 'member', id, [
    'member.banned',
    'member.disabled',
    'member.unbanned',
  ]);
  const { bannedUntil: until } = last.before;
  if (last.action === 'member.unbanned' || typeof until !== 'string') return undefined;
  // Only a ban ends sessions; an undo has no count of them.
  if (last.after['sessions'] === undefined) return 'unchanged';
  const [now] = await tx
    .select({ before: sql`${users.bannedUntil}::text`.mapWith(orNull(asText)) })
    .from(users)
    .where(eq(users.id, id));
  const { rowCount } = await tx
    .update(users)
    .set({ bannedUntil: sql`${until}` })
    .where(and(eq(users.id, id), sql`${until}::timestamptz > now()`));
  if (!rowCount) return undefined;
  await notifyStaff(tx, jobs, by, await staffOf(tx, id), 'banned');
  await audit(tx, by.actor, {
    action: until === 'infinity' ? 'member.disabled' : 'member.banned',
    resourceType: 'member',
    resourceId: id,
    before: { bannedUntil: now?.before ?? null },
    after: { bannedUntil: until },
  });
  return 'done';
}

/** Ends every session of these members, including the admin's own. */
export const revokeUserSessions = ({ db, jobs, by }: ServiceContext, ids: string[]): Results =>
  forEachRecord(ids, (id) =>
    db.transaction(async (tx) => {
      await lockUser(tx, id);
      const ended = await endSessions(tx, id);
      if (ended === 0) return 'unchanged';
      await notifyStaff(tx, jobs, by, await staffOf(tx, id), 'sessions');
      await audit(tx, by.actor, {
        action: 'session.all_revoked',
        resourceType: 'member',
        resourceId: id,
        after: { ended },
      });
      return 'done' as const;
    }),
  );

/**
 * Sends members a link to choose a new password; nothing changes until they use it.
 *
 * @param locale of the mail to members whose language is not known.
 */
export const sendPasswordLinks = (
  { db, jobs, by }: ServiceContext,
  input: { ids: string[]; locale: MailLocale },
  limit: Limit,
): Results =>
  forEachRecord(input.ids, async (id) => {
    await consumeRateLimits(db, [{ key: `mail:${id}`, limit }], by.now);
    return db.transaction(async (tx) => {
      const email = await lockUser(tx, id);
      const locale = await memberLocale(tx, { id, email }, input.locale);
      const token = await issueToken(tx, 'reset_password', { userId: id, email, locale, now: by.now });
      const data = { path: pagePath(locale, 'reset', token), until: tokenEnd('reset_password', by.now) };
      await queueMail(tx, jobs, { to: email, locale, template: 'resetPassword', data });
      await notifyStaff(tx, jobs, by, await staffOf(tx, id), 'password');
      await audit(tx, by.actor, { action: 'password.reset_sent', resourceType: 'member', resourceId: id });
      return 'done' as const;
    });
  });

/** Deletes accounts permanently; see removeAccount for what is deleted and what remains. The limit counts each of them. */
export const removeUsers = (
  { db, jobs, by }: ServiceContext,
  { ids, reason }: { ids: string[]; reason: string },
  limit: Limit,
): Results =>
  forEachRecord(ids, async (id) => {
    const key = `member-removal:${by.actor.id}`;
    await consumeRateLimits(db, [{ key, limit }], by.now);
    return withLockedAdmins(db, async (tx, admins) => {
      await requireMayDemote(tx, by.actor, admins, id);
      const target = await staffOf(tx, id);
      const votes = (await removeMember(tx, id, by.now)) ?? fail('NOT_FOUND', { what: 'member' });
      if (target?.role === 'user') await announceRemoval(tx, jobs, target, 'team');
      // Queued afterwards, because the removal deletes waiting mails to the address.
      await notifyStaff(tx, jobs, by, target, 'removed');
      await audit(tx, by.actor, {
        action: 'member.removed',
        resourceType: 'member',
        resourceId: id,
        after: { votes },
        reason,
      });
      return 'done' as const;
    });
  });

/** Locks a member. @returns the e-mail. @throws NOT_FOUND */
async function lockUser(tx: Tx, id: string): Promise<string> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, id)).for('no key update');
  return user?.email ?? fail('NOT_FOUND', { what: 'member' });
}

async function conflict(tx: Tx, { id, version, email, username }: AdminUser): Promise<never> {
  const renaming = inArray(auditEvents.action, ['member.updated', 'member.renamed', 'email.changed']);
  const last = await lastChange(tx, 'member', id, renaming);
  return fail('VERSION_CONFLICT', { version, current: { email, username }, ...last });
}

/** Maps a violation of a unique constraint to the field that it belongs to. */
async function unique<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTaken(error)) throw error;
    const { constraint } = ((error as { cause?: unknown }).cause ?? error) as { constraint?: string };
    return fail('DUPLICATE', { fields: [constraint?.startsWith('forum_users_') ? 'username' : 'email'] });
  }
}
