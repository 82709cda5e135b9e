import { randomBytes } from 'node:crypto';
import { and, eq, isNotNull, isNull, notExists, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { adminProfiles, adminUsers, userRoles, users } from '#server/db/tables/accounts.ts';
import { inboxOwners } from '#server/db/tables/inbox.ts';
import { withLockedAdmins } from '#server/domains/account/roles/admins.service.ts';
import { markAddedByStaff } from '#server/domains/account/users/manage.sql.ts';
import { endSessions } from '#server/domains/auth/members.service.ts';
import { dropTokens } from '#server/domains/auth/one-time-tokens.service.ts';
import { hashPassword, storePassword } from '#server/domains/auth/passwords/password.service.ts';
import { notifyOfSecurity } from '#server/domains/notifications/member-events.service.ts';
import { memberLocale } from '#server/domains/notifications/member-locale.service.ts';
import { lockVotesOf, restoreVotesOfBanned, voidVotesOfBanned } from '#server/domains/voting/banned-votes.service.ts';
import { audit } from '#server/lib/audit.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import { queueMail } from '#server/mail/mail.ts';
import { auditByOperator, lockAccount, lockedId, requireProvenMailbox } from './accounts.ts';
import { addressOf, staffRolesOf } from './arguments.ts';
import { OPERATOR, withDatabase } from './database.ts';
import { initialPasswordNote } from './initial-password.ts';

/**
 * Makes an account an admin's; a new account gets a random password, shown once. Staff roles that are named also change those of an admin
 * who is there.
 *
 * @throws StartError for an account whose mailbox nobody has confirmed: whoever signed up with it may not be its owner.
 */
export function createAdmin(word: string, roles?: string): Promise<boolean> {
  const email = addressOf(word);
  const staffRoles = staffRolesOf(roles);
  return withDatabase(async ({ db, env }) => {
    const password = randomBytes(15).toString('base64url');
    const hash = await hashPassword(password);
    const made = await withLockedAdmins(db, async (tx, admins) => {
      let id = await lockedId(tx, email);
      const there = id ? admins.get(id) : undefined;
      if (id && there) {
        if (!roles || there.join() === staffRoles.join()) return 'before' as const;
        await tx.update(adminProfiles).set({ staffRoles, grantedBy: null }).where(eq(adminProfiles.id, id));
        await audit(tx, OPERATOR, {
          action: 'role.assigned',
          resourceType: 'member',
          resourceId: id,
          before: { role: 'admin', staffRoles: [...there] },
          after: { role: 'admin', staffRoles },
        });
        return 'changed' as const;
      }
      const fresh = !id;
      if (id) await requireProvenMailbox(tx, { id, email });
      else {
        await markAddedByStaff(tx, {});
        const [added] = await tx
          .insert(users)
          .values({ name: email.split('@')[0] ?? email, email, emailVerified: true, confirmedAt: sql`now()` })
          .returning({ id: users.id });
        id = added?.id ?? '';
        await storePassword(tx, id, hash, new Date(), { initial: true });
      }
      await tx.insert(adminProfiles).values({ id, staffRoles });
      const role = { role: 'admin', assignedAt: sql`now()` } as const;
      await tx
        .insert(userRoles)
        .values({ userId: id, ...role })
        .onConflictDoUpdate({
          target: userRoles.userId,
          set: { ...role, moderatorRequestStatus: 'approved', assignedBy: null },
        });
      await auditByOperator(tx, { id, email }, 'admin.created', { role: 'admin', staffRoles });
      return fresh ? ('new' as const) : ('raised' as const);
    }).catch((error: { code?: string }) => {
      if (error.code === 'LAST_ADMIN')
        throw new StartError(`${email} is the last owner who may act: create another one first.`);
      throw error;
    });
    if (made === 'before') console.log(`${email} is an admin already.`);
    else if (made === 'changed') console.log(`${email} is ${staffRoles.join(', ')} now.`);
    else {
      console.log(`${email} is an admin now${roles ? `: ${staffRoles.join(', ')}` : ''}.`);
      if (made === 'new') console.log(`Password: ${password}  (shown only now)`);
      if (made === 'new') console.log(`${initialPasswordNote}.`);
      console.log(`Next: sign in at ${env.PUBLIC_URL}/admin-login and set up the second factor.`);
    }
    return true;
  });
}

/** Closes an admin's account until it is opened again; the rights stay with it, and count for nothing meanwhile. */
export function disableAdmin(word: string): Promise<boolean> {
  const email = addressOf(word);
  return withDatabase(async ({ db }) => {
    const ended = await withLockedAdmins(db, async (tx, admins) => {
      const account = await lockAccount(tx, email);
      if (!admins.has(account.id)) throw new StartError(`${email} is not an admin.`);
      await lockVotesOf(tx, account.id);
      await tx.select({ id: users.id }).from(users).where(eq(users.id, account.id)).for('update');
      await tx.update(users).set({ bannedUntil: sql`'infinity'` }).where(eq(users.id, account.id));
      const votes = await voidVotesOfBanned(tx, account.id, new Date());
      const sessions = await endSessions(tx, account.id);
      await dropTokens(tx, account.id);
      await tx.delete(inboxOwners).where(eq(inboxOwners.ownerId, account.id));
      await auditByOperator(tx, account, 'member.disabled', { bannedUntil: 'infinity', sessions, votes });
      return sessions;
    }).catch((error: { code?: string }) => {
      if (error.code === 'LAST_ADMIN')
        throw new StartError(`${email} is the last owner who may act: create another one first.`);
      throw error;
    });
    console.log(`${email} can't sign in any more. Sessions ended: ${ended}`);
    console.log(`To undo it: npm run florka -- admin enable ${email}`);
    return true;
  });
}

/** Opens a disabled or banned account again. */
export function enableAccount(word: string): Promise<boolean> {
  const email = addressOf(word);
  return withDatabase(async ({ db }) => {
    const opened = await db.transaction(async (tx) => {
      const account = await lockAccount(tx, email);
      await lockVotesOf(tx, account.id);
      const { rowCount } = await tx
        .update(users)
        .set({ bannedUntil: null })
        .where(and(eq(users.id, account.id), isNotNull(users.bannedUntil)));
      if (rowCount) {
        const votes = await restoreVotesOfBanned(tx, account.id, new Date());
        await auditByOperator(tx, account, 'member.unbanned', { bannedUntil: null, votes });
      }
      return rowCount;
    });
    console.log(opened ? `${email} can sign in again.` : `${email} was not disabled.`);
    return true;
  });
}

/** @returns the sentence that it gets. */
async function auditInvitation(tx: Tx, id: string, staffRoles: string[], sentence: string): Promise<string> {
  await audit(tx, OPERATOR, {
    action: 'admin.invited',
    resourceType: 'admin_invitation',
    resourceId: id,
    after: { staffRoles },
  });
  return sentence;
}

/**
 * Lets the owner of a mailbox claim the admin role, with these staff roles. An invitation that waits already takes those that are named;
 * one that was claimed by an account that is no admin with this mailbox any more waits again.
 */
export async function inviteAdmin(word: string, roles?: string): Promise<boolean> {
  const email = addressOf(word);
  const staffRoles = staffRolesOf(roles);
  return withDatabase(async ({ db, env }) => {
    const invited = await db.transaction(async (tx) => {
      const [made] = await tx
        .insert(adminUsers)
        .values({ email, staffRoles })
        .onConflictDoNothing({ target: adminUsers.email })
        .returning({ id: adminUsers.id });
      if (made) return auditInvitation(tx, made.id, staffRoles, 'is invited.');
      const mailbox = eq(adminUsers.email, email);
      const claimant = tx
        .select({ id: users.id })
        .from(adminProfiles)
        .innerJoin(users, eq(users.id, adminProfiles.id))
        .where(and(eq(users.id, adminUsers.claimedBy), eq(users.email, email)));
      const [again] = await tx
        .update(adminUsers)
        .set({ claimedBy: null, claimedAt: null, staffRoles })
        .where(and(mailbox, isNotNull(adminUsers.claimedBy), notExists(claimant)))
        .returning({ id: adminUsers.id });
      if (again) return auditInvitation(tx, again.id, staffRoles, 'is invited again.');
      const waits = and(mailbox, isNull(adminUsers.claimedBy));
      const [changed] = roles
        ? await tx.update(adminUsers).set({ staffRoles }).where(waits).returning({ id: adminUsers.id })
        : [];
      const before = 'was invited before and has not claimed the role yet.';
      return changed ? auditInvitation(tx, changed.id, staffRoles, before) : before;
    });
    const [invitation] = await db
      .select({ claimedBy: adminUsers.claimedBy })
      .from(adminUsers)
      .where(eq(adminUsers.email, email));
    if (invitation?.claimedBy) {
      console.log(`${email} was invited before and has claimed the role.`);
      return true;
    }
    console.log(`${email} ${invited}`);
    console.log(
      `Next: sign up or sign in with it at ${env.PUBLIC_URL}/auth, confirm the e-mail, and open that page again: «Administrador».`,
    );
    return true;
  });
}

/**
 * Gives an account a new random password, shown once; its sessions, links and codes end, and its owner is mailed. The second factor
 * stays.
 */
export async function resetPassword(word: string): Promise<boolean> {
  const email = addressOf(word);
  return withDatabase(async ({ db, jobs }) => {
    await jobs.start();
    const password = randomBytes(15).toString('base64url');
    const hash = await hashPassword(password);
    const ended = await db.transaction(async (tx) => {
      const [account] = await tx
        .select({ id: users.id })
        .from(users)
        .where(eq(users.email, email))
        .for('no key update');
      const id = account?.id;
      if (!id) throw new StartError(`There is no account with ${email}.`);
      const now = new Date();
      await storePassword(tx, id, hash, now, { initial: true });
      const sessions = await endSessions(tx, id);
      await dropTokens(tx, id);
      await notifyOfSecurity(tx, id, 'password', now);
      const locale = await memberLocale(tx, { id, email });
      await queueMail(tx, jobs, { to: email, locale, template: 'passwordChanged', data: {} });
      await audit(tx, OPERATOR, {
        action: 'password.reset_by_operator',
        resourceType: 'member',
        resourceId: id,
        after: { sessions },
      });
      return sessions;
    });
    console.log(`New password of ${email}: ${password}  (shown only now)`);
    console.log(`${initialPasswordNote}. Sessions ended: ${ended}`);
    return true;
  });
}
