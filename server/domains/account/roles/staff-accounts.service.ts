import { and, arrayContains, eq, gt, isNull, lte, or } from 'drizzle-orm';
import type { Role } from '#contract/domains/auth.ts';
import type { StaffRole } from '#contract/staff.ts';
import type { Tx } from '#server/db/client.ts';
import { accountTokens } from '#server/db/tables/account-security.ts';
import { adminProfiles, userRoles, users } from '#server/db/tables/accounts.ts';
import { issueToken, tokenEnd } from '#server/domains/auth/one-time-tokens.service.ts';
import { pagePath } from '#server/domains/auth/verification.service.ts';
import { memberLocale } from '#server/domains/notifications/member-locale.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { requireStaff } from '#server/lib/staff-rights.ts';
import type { StaffAction } from '#server/mail/drafts/staff.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import type { Editor } from '#server/records/records.ts';

/** The member that an admin's action is about. */
export interface Target {
  id: string;
  email: string;
  role: Role;
  /** Staff roles of an admin. */
  staffRoles: readonly StaffRole[];
  locale: MailLocale;
}

/** A member with the effective role; null when the member does not exist. */
export async function staffOf(tx: Tx, id: string): Promise<Target | null> {
  const [row] = await tx
    .select({
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
  const { email, staffRoles } = row;
  return { id, email, role, staffRoles: staffRoles ?? [], locale: await memberLocale(tx, { id, email }) };
}

/**
 * Mails an action of one staff member on another to both, so that neither a stolen account nor a colleague acts unnoticed. No mail
 * when the target is not staff before and after, or it is their own account. Only owners may act on staff: otherwise an admin with
 * the right to manage members could take over a colleague's account and its rights.
 *
 * @param after the new role, when the action changes it.
 * @param owners ids of owners, who are notified as well when the target becomes one of them.
 * @throws STAFF_ROLE_NEEDED
 */
export async function notifyStaff(
  tx: Tx,
  jobs: JobQueue,
  by: Editor,
  target: Target | null,
  action: StaffAction,
  after?: Role,
  owners: readonly string[] = [],
): Promise<void> {
  const actor = by.actor.id && (await staffOf(tx, by.actor.id));
  if (!target || !actor || actor.id === target.id) return;
  if (target.role === 'user' && (after ?? 'user') === 'user') return;
  requireStaff(actor, []);
  const data = { action, actor: actor.email, target: target.email };
  const others = owners.filter((id) => id !== target.id && id !== actor.id);
  const recipients = [target, actor, ...(await Promise.all(others.map((id) => staffOf(tx, id))))];
  for (const recipient of recipients)
    if (recipient)
      await queueMail(tx, jobs, { to: recipient.email, locale: recipient.locale, template: 'staffAct', data });
}

/** Guard: only owners may act on another staff member. @throws STAFF_ROLE_NEEDED */
export async function requireRightsOver(tx: Tx, by: Editor, id: string): Promise<void> {
  const [actor, target] = [by.actor.id && (await staffOf(tx, by.actor.id)), await staffOf(tx, id)];
  if (actor && target && target.id !== actor.id && target.role !== 'user') requireStaff(actor, []);
}

/** True when an owner other than this one, and other than the member, has a pending request for the same mailbox. */
export async function isRequestedByOtherOwner(tx: Tx, by: Editor, id: string, email: string): Promise<boolean> {
  const [row] = await tx
    .select({ requestedBy: accountTokens.requestedBy })
    .from(accountTokens)
    .innerJoin(adminProfiles, eq(adminProfiles.id, accountTokens.requestedBy))
    .innerJoin(users, eq(users.id, accountTokens.requestedBy))
    .where(
      and(
        eq(accountTokens.userId, id),
        eq(accountTokens.purpose, 'staff_email'),
        arrayContains(adminProfiles.staffRoles, ['owner']),
        eq(accountTokens.email, email),
        isNull(accountTokens.usedAt),
        gt(accountTokens.expiresAt, by.now),
        // Rights are not effective while the account is banned.
        or(isNull(users.bannedUntil), lte(users.bannedUntil, by.now)),
      ),
    );
  return row !== undefined && by.actor.id !== id && row.requestedBy !== id && row.requestedBy !== by.actor.id;
}

/** Asks the owner of a staff account, by the old mailbox, to agree to the new one. */
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
    requestedBy: by.actor.id,
    now: by.now,
  });
  const data = { path: pagePath(locale, 'verify', token), until: tokenEnd('staff_email', by.now), to };
  await queueMail(tx, jobs, { to: email, locale, template: 'staffEmailAsked', data });
}
