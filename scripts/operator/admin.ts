import { randomBytes } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { adminUsers, users } from '#server/db/tables/accounts.ts';
import { endSessions } from '#server/domains/auth/members.service.ts';
import { hashPassword, storePassword } from '#server/domains/auth/passwords/password.service.ts';
import { dropTokens } from '#server/domains/auth/tokens.service.ts';
import { audit } from '#server/lib/audit.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import { addressOf, staffRolesOf } from './address.ts';
import { OPERATOR, withDatabase } from './database.ts';
import { initialPasswordNote } from './initial-password.ts';

/** Lets the owner of a mailbox claim the admin role, with these staff roles. An invitation that waits already takes those that are named. */
export async function inviteAdmin(word: string, roles?: string): Promise<boolean> {
  const email = addressOf(word);
  const staffRoles = staffRolesOf(roles);
  return withDatabase(async ({ db, env }) => {
    const fresh = await db.transaction(async (tx) => {
      const [made] = await tx
        .insert(adminUsers)
        .values({ email, staffRoles })
        .onConflictDoNothing({ target: adminUsers.email })
        .returning({ id: adminUsers.id });
      const id = made?.id;
      if (id)
        await audit(tx, OPERATOR, {
          action: 'admin.invited',
          resourceType: 'admin_invitation',
          resourceId: id,
          after: { staffRoles },
        });
      else if (roles)
        for (const waits of await tx
          .update(adminUsers)
          .set({ staffRoles })
          .where(and(eq(adminUsers.email, email), isNull(adminUsers.claimedBy)))
          .returning({ id: adminUsers.id }))
          await audit(tx, OPERATOR, {
            action: 'admin.invited',
            resourceType: 'admin_invitation',
            resourceId: waits.id,
            after: { staffRoles },
          });
      return id !== undefined;
    });
    const [invitation] = await db
      .select({ claimedBy: adminUsers.claimedBy })
      .from(adminUsers)
      .where(eq(adminUsers.email, email));
    if (invitation?.claimedBy) {
      console.log(`${email} was invited before and has claimed the role.`);
      return true;
    }
    console.log(fresh ? `${email} is invited.` : `${email} was invited before and has not claimed the role yet.`);
    console.log(
      `Next: sign up or sign in with it at ${env.PUBLIC_URL}/auth, confirm the e-mail, and open that page again: «Administrador».`,
    );
    return true;
  });
}

/** Gives an account a new random password, shown once; its sessions, links and codes end. The second factor stays. */
export async function resetPassword(word: string): Promise<boolean> {
  const email = addressOf(word);
  return withDatabase(async ({ db }) => {
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
