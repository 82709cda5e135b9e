import { and, arrayContains, eq, gt, isNull, lte, or } from 'drizzle-orm';
import type { Role } from '#contract/domains/auth.ts';
import type { StaffRole } from '#contract/staff.ts';
import type { Tx } from '#server/db/client.ts';
import { accountTokens } from '#server/db/tables/account-security.ts';
import { adminProfiles, userRoles, users } from '#server/db/tables/accounts.ts';
import { issueToken, lastLocale, tokenEnd } from '#server/domains/auth/tokens.service.ts';
import { pagePath } from '#server/domains/auth/verification.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { requireStaff } from '#server/lib/staff-rights.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import type { StaffAction } from '#server/mail/templates.ts';
import type { Editor } from '#server/records/records.ts';

/** Whom an act of staff was about. */
export interface Target {
  id: string;
  email: string;
  role: Role;
  /** Of an admin. */
  staffRoles: readonly StaffRole[];
  locale: MailLocale;
}

/** A member with the role as it counts; null when there is none. */
export async function staffOf(tx: Tx, id: string): Promise<Target | null> {
  const [row] = await tx
    .select({
      id: users.id,
      email: users.email,
      role: userRoles.role,
      admin: adminProfiles.id,
      staffRoles: adminProfiles.staffRoles,
    })
    .from(users)
    .leftJoin(userRoles, eq(userRoles.userId, users.id))
    .leftJoin(adminProfiles, eq(adminProfiles.id, users.id))
    .where(eq(users.id, id));
  if (!row) return null;
  const role = row.admin ? 'admin' : row.role === 'moderator' ? 'moderator' : 'user';
  return { id: row.id, email: row.email, role, staffRoles: row.staffRoles ?? [], locale: await lastLocale(tx, id) };
}

/**
 * Mails an act of one of the staff on another to both, so that neither a stolen account nor a colleague acts unseen. Nothing
 * where the target is no staff, before and after, or acts on their own account. Only owners act on staff: whoever works for members
 * would else take a colleague's account, and with it what that one may do.
 *
 * @param after the role that the act gives, when it changes it.
 * @throws STAFF_ROLE_NEEDED
 */
export async function notifyStaff(
  tx: Tx,
  jobs: JobQueue,
  by: Editor,
  target: Target | null,
  action: StaffAction,
  after?: Role,
): Promise<void> {
  const actor = by.actor.id && (await staffOf(tx, by.actor.id));
  if (!target || !actor || actor.id === target.id) return;
  if (target.role === 'user' && (after ?? 'user') === 'user') return;
  requireStaff(actor, []);
  const data = { action, actor: actor.email, target: target.email };
  for (const { email, locale } of [target, actor])
    await queueMail(tx, jobs, { to: email, locale, template: 'staffAct', data });
}

/** Refuses who is no owner what is about another of the staff. @throws STAFF_ROLE_NEEDED */
export async function requireRightsOver(tx: Tx, by: Editor, id: string): Promise<void> {
  const [actor, target] = [by.actor.id && (await staffOf(tx, by.actor.id)), await staffOf(tx, id)];
  if (actor && target && target.id !== actor.id && target.role !== 'user') requireStaff(actor, []);
}

/** Whether another owner than this one, and than the member, asked for the very same mailbox and it still waits. */
export async function secondOf(tx: Tx, by: Editor, id: string, email: string): Promise<boolean> {
  const [row] = await tx
    .select({ askedBy: accountTokens.askedBy })
    .from(accountTokens)
    .innerJoin(adminProfiles, eq(adminProfiles.id, accountTokens.askedBy))
    .innerJoin(users, eq(users.id, accountTokens.askedBy))
    .where(
      and(
        eq(accountTokens.userId, id),
        eq(accountTokens.purpose, 'staff_email'),
        arrayContains(adminProfiles.staffRoles, ['owner']),
        eq(accountTokens.email, email),
        isNull(accountTokens.usedAt),
        gt(accountTokens.expiresAt, by.now),
        // Rights count for nothing while the account is closed.
        or(isNull(users.bannedUntil), lte(users.bannedUntil, by.now)),
      ),
    );
  return row !== undefined && by.actor.id !== id && row.askedBy !== id && row.askedBy !== by.actor.id;
}

/** Asks the owner, by the old mailbox, whether the account of one of the staff may move. */
export async function requestOwnerConsent(
  tx: Tx,
  jobs: JobQueue,
  by: Editor,
  { id, email, to, locale }: { id: string; email: string; to: string; locale: MailLocale },
): Promise<void> {
  const token = await issueToken(tx, 'staff_email', {
    userId: id,
    email: to,
    locale,
    askedBy: by.actor.id,
    now: by.now,
  });
  const data = { path: pagePath(locale, 'verify', token), until: tokenEnd('staff_email', by.now), to };
  await queueMail(tx, jobs, { to: email, locale, template: 'staffEmailAsked', data });
}
