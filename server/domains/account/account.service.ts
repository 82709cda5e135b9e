import { and, eq, ne, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { AccountOverview } from '#contract/domains/account.ts';
import type { Limit } from '#contract/limits.ts';
import type { Reader, Tx } from '#server/db/client.ts';
import { asBoolean, asText, orNull } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { type AccountContext, hasSecondFactor } from '#server/domains/account/second-factor/second-factor.service.ts';
import { endSessions, isTaken, lockMember } from '#server/domains/auth/members.service.ts';
import { dropTokens } from '#server/domains/auth/one-time-tokens.service.ts';
import { passkeySite } from '#server/domains/auth/passkey-site.service.ts';
import {
  hashPassword,
  passwordUntil,
  refuseInitial,
  storePassword,
} from '#server/domains/auth/passwords/password.service.ts';
import { refuseWeak } from '#server/domains/auth/passwords/weak-password.service.ts';
import { changeToken } from '#server/domains/auth/sessions/session-token.service.ts';
import { notifyOfSecurity } from '#server/domains/notifications/member-events.service.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { impersonatesSite } from '#server/lib/text/confusables.ts';
import { needsPasskey, type Viewer } from '#server/lib/viewer.ts';
import { publishChange } from '#server/live/publish.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';

/** The member's own account, for the account page. @throws UNAUTHORIZED when it does not exist any more. */
export async function overview(
  db: Reader,
  viewer: Viewer,
  services: {
    mailTarget: AccountOverview['mailTarget'];
    secondFactorNeeded: boolean;
    site: { publicUrl: string; staffPasskey: boolean };
  },
  now: Date,
): Promise<AccountOverview> {
  const u = alias(users, 'u');
  const f = alias(forumUsers, 'f');
  const [member] = await db
    .select({
      email: u.email,
      emailVerified: u.emailVerified,
      username: sql`coalesce(f.username, '')`.mapWith(asText),
      hidePresence: sql`coalesce(f.hide_presence, false)`.mapWith(asBoolean),
      pendingEmail: sql`(select t.email from account_tokens t where t.user_id = u.id and t.purpose = 'change_email'
        and t.used_at is null and t.expires_at > ${now.toISOString()} order by t.created_at desc limit 1)`.mapWith(
        orNull(asText),
      ),
      secondFactor:
        sql`exists (select 1 from second_factors s where s.user_id = u.id and s.confirmed_at is not null)`.mapWith(
          asBoolean,
        ),
      passkeys: sql`(select count(*)::int from passkeys p where p.user_id = u.id)`.mapWith(Number),
      recoveryCodesLeft:
        sql`(select count(*)::int from recovery_codes c where c.user_id = u.id and c.used_at is null)`.mapWith(Number),
    })
    .from(u)
    .leftJoin(f, eq(f.newAuthUserId, u.id))
    .where(eq(u.id, viewer.id));
  const { mailTarget, secondFactorNeeded, site } = services;
  return {
    ...(member ?? fail('UNAUTHORIZED')),
    secondFactorNeeded,
    passwordUntil: (await passwordUntil(db, viewer.id))?.toISOString() ?? null,
    passkeysPossible: passkeySite(site.publicUrl) !== null,
    passkeyNeeded: needsPasskey(site, viewer) && !viewer.hasPasskey,
    mailTarget,
  };
}

/** Stores a member's public name; the caller publishes it and writes the audit entry. */
export async function writeUsername(tx: Tx, id: string, username: string): Promise<void> {
  await tx
    .insert(forumUsers)
    .values({ id, username, walletAddress: `user_${id}`, newAuthUserId: id })
    .onConflictDoUpdate({ target: forumUsers.newAuthUserId, set: { username } });
}

/**
 * Changes the public name.
 *
 * @param username as cleaned by `publicName` of the contract.
 * @throws USERNAME_TAKEN when another member has a confusable one, and for members when it suggests speaking for the site.
 * @throws RATE_LIMITED
 */
export async function setUsername(account: AccountContext, username: string, limit: Limit): Promise<void> {
  const { db, viewer, now } = account;
  // Staff may speak for the site, and the first admin's name is one of these.
  if (viewer.role === 'user' && impersonatesSite(username)) fail('USERNAME_TAKEN');
  await consumeRateLimits(db, [{ key: `username:${viewer.id}`, limit }], now);
  try {
    await db.transaction(async (tx) => {
      await writeUsername(tx, viewer.id, username);
      await publishChange(tx, 'forum');
      await publishChange(tx, 'presence');
      // Without the names: the log is never deleted, and an account can be.
      await audit(tx, account.actor, {
        action: 'member.renamed',
        resourceType: 'member',
        resourceId: viewer.id,
      });
    });
  } catch (error) {
    if (isTaken(error)) fail('USERNAME_TAKEN');
    throw error;
  }
}

/** Shows or hides the member in the list of members who are online. */
export async function setPresence(account: AccountContext, hide: boolean): Promise<void> {
  const { db, viewer } = account;
  await db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(forumUsers)
      .set({ hidePresence: hide })
      .where(and(eq(forumUsers.newAuthUserId, viewer.id), ne(forumUsers.hidePresence, hide)));
    if (rowCount === 0) return;
    await publishChange(tx, 'presence');
    await audit(tx, account.actor, {
      action: hide ? 'presence.hidden' : 'presence.shown',
      resourceType: 'member',
      resourceId: viewer.id,
    });
  });
}

/**
 * Pending links and codes that a new password invalidates. Not the link that confirms the current mailbox, which signs nobody in, nor the
 * request of other staff to change the mailbox, which a thief with the password could otherwise cancel by changing it.
 */
const ENDED_BY_PASSWORD = ['change_email', 'reset_password', 'sign_in', 'second_factor'] as const;

/**
 * Changes the password; the member's other sessions and the links and codes of ENDED_BY_PASSWORD are ended. Like `completeStepUp`, the
 * current password is a step-up only for an account without a second factor.
 */
export async function changePassword(
  account: AccountContext,
  input: { next: string; locale: MailLocale },
): Promise<void> {
  const { db, viewer, now } = account;
  await refuseWeak(input.next, { own: [viewer.email, viewer.username], staff: viewer.role !== 'user' });
  await refuseInitial(db, viewer.id, input.next);
  const hash = await hashPassword(input.next);
  const cookies = await db.transaction(async (tx) => {
    const { email } = await lockMember(tx, viewer.id);
    await storePassword(tx, viewer.id, hash, now);
    await endSessions(tx, viewer.id, viewer.sessionId);
    await dropTokens(tx, viewer.id, [...ENDED_BY_PASSWORD]);
    const { locale } = input;
    await queueMail(tx, account.jobs, { to: email, locale, template: 'passwordChanged', data: {} });
    await notifyOfSecurity(tx, viewer.id, 'password', now);
    const proof = (await hasSecondFactor(tx, viewer.id)) ? undefined : 'proved';
    await audit(tx, account.actor, { action: 'password.changed', resourceType: 'member', resourceId: viewer.id });
    return changeToken(tx, account.auth, viewer.sessionId, proof);
  });
  account.setCookies(cookies);
}
