import { eq } from 'drizzle-orm';
import type { Limit } from '#contract/limits.ts';
import type { Tx } from '#server/db/client.ts';
import { users } from '#server/db/tables/accounts.ts';
import { type AccountContext, dropSecondFactors } from '#server/domains/account/second-factor/second-factor.service.ts';
import { endSessions, isTaken, lockMember, type Member } from '#server/domains/auth/members.service.ts';
import {
  dropTokens,
  findToken,
  issueToken,
  spendToken,
  type Token,
  tokenEnd,
} from '#server/domains/auth/one-time-tokens.service.ts';
import { type AuthRequest, deviceCookie } from '#server/domains/auth/open-session.service.ts';
import { changeToken } from '#server/domains/auth/sessions/session-token.service.ts';
import { pagePath, queueVerification } from '#server/domains/auth/verification.service.ts';
import { notifyOfSecurity } from '#server/domains/notifications/member-events.service.ts';
import { dropChat } from '#server/domains/notifications/telegram/links.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { normalizeMailbox } from '#server/lib/text/mailbox.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';

/** Sends the confirmation link again; does nothing when the mailbox is confirmed. */
export async function sendVerification(account: AccountContext, locale: MailLocale): Promise<void> {
  const { db, viewer, now } = account;
  await db.transaction(async (tx) => {
    const member = await lockMember(tx, viewer.id);
    if (member.emailVerified) return;
    await queueVerification(tx, account.jobs, member, locale, now);
    await audit(tx, account.actor, {
      action: 'email.verification_sent',
      resourceType: 'member',
      resourceId: viewer.id,
    });
  });
}

/**
 * Sends a link to a mailbox that the member wants to change to. Whether another account uses it is not checked here, so that
 * response and effort are the same; opening the link then fails.
 *
 * @param limit per mailbox, for all accounts and spellings: otherwise many accounts could flood a stranger's mailbox.
 * @throws RATE_LIMITED
 */
export async function changeEmail(
  account: AccountContext,
  input: { email: string; locale: MailLocale },
  limit: Limit,
): Promise<void> {
  const { db, viewer, now } = account;
  const { email, locale } = input;
  await db.transaction(async (tx) => {
    const member = await lockMember(tx, viewer.id);
    if (member.email === email) return;
    await consumeRateLimits(tx, [{ key: `email-change:${normalizeMailbox(email)}`, limit }], now);
    const token = await issueToken(tx, 'change_email', { userId: member.id, email, locale, now });
    const data = { path: pagePath(locale, 'verify', token), until: tokenEnd('change_email', now) };
    await queueMail(tx, account.jobs, { to: email, locale, template: 'changeEmail', data });
    await audit(tx, account.actor, { action: 'email.change_asked', resourceType: 'member', resourceId: viewer.id });
  });
}

/** Result of a link in a mail. */
interface Verified {
  email: string;
  /** The account uses this mailbox now, but it is not proven. */
  unconfirmed?: true;
  cookies: string[];
}

/**
 * Confirms a mailbox by the link that was sent to it: the account's own, or the one it changes to. Requires both the link (access
 * to the mailbox) and a session of that account (its password). So an account that was created with somebody else's e-mail gains
 * nothing when that person opens the link. All other sessions and pending links are ended.
 *
 * @returns the e-mail, whether it still has to be confirmed, and the cookies for this browser, whose session gets a new token.
 * @throws TOKEN_REFUSED when the link is used, expired, for a previous e-mail, or the requested e-mail belongs to another account.
 * @throws UNAUTHORIZED when the link is valid, but the browser is not signed in to its account; it stays valid.
 */
export async function verifyEmail(
  request: AuthRequest & { viewer: Viewer | null; actor: Actor },
  token: string,
): Promise<Verified> {
  const { db, viewer, now } = request;
  const found = await findToken(db, token, ['verify_email', 'change_email', 'staff_email'], now);
  if (!found) return fail('TOKEN_REFUSED');
  if (viewer?.id !== found.userId) return fail('UNAUTHORIZED');
  if (found.purpose === 'staff_email') return agreeToMove(request, viewer, found);
  try {
    return await db.transaction(async (tx) => {
      const before = await lockMember(tx, found.userId);
      const moves = found.purpose === 'change_email';
      if (!(await spendToken(tx, found.id, now)) || (!moves && before.email !== found.email)) fail('TOKEN_REFUSED');
      await tx
        .update(users)
        .set({ email: found.email, emailVerified: true, updatedAt: now })
        .where(eq(users.id, found.userId));
      await endSessions(tx, found.userId, viewer.sessionId);
      await dropTokens(tx, found.userId);
      // A mailbox that was never proven may be mistyped: its owner, a stranger, should not learn the right one.
      if (moves && before.emailVerified)
        await queueMail(tx, request.jobs, {
          to: before.email,
          locale: found.locale,
          template: 'emailChanged',
          data: { to: found.email },
        });
      if (moves) await notifyOfSecurity(tx, found.userId, 'email', now);
      await audit(tx, request.actor, {
        action: moves ? 'email.changed' : 'email.verified',
        resourceType: 'member',
        resourceId: found.userId,
      });
      const cookies = await changeToken(tx, request.auth, viewer.sessionId);
      if (moves) cookies.push(await deviceCookie(request, found.email));
      return { email: found.email, cookies };
    });
  } catch (error) {
    if (isTaken(error)) return fail('TOKEN_REFUSED');
    throw error;
  }
}

/**
 * Gives the account to the owner of the mailbox, who used a link or code sent there, without its password. Sessions and pending
 * links are ended. The first time, the password chosen at sign-up is deleted too (see the callers), and, unless a mailbox of the
 * account was proven before, its second factors and its Telegram chat: a stranger who signed up with somebody else's e-mail would
 * receive the notifications of its owner.
 *
 * @returns true the first time.
 */
export async function takeOverByMailbox(tx: Tx, member: Member, now: Date): Promise<boolean> {
  const first = !member.emailVerified;
  if (first) {
    // If a mailbox was proven before, an admin may have changed the mailbox: the second factors are then the owner's.
    if (!member.everProved) {
      await dropSecondFactors(tx, member.id);
      await dropChat(tx, member.id);
    }
    await tx.update(users).set({ emailVerified: true, updatedAt: now }).where(eq(users.id, member.id));
  }
  await endSessions(tx, member.id);
  await dropTokens(tx, member.id);
  return first;
}

/**
 * The owner agrees, by the link in the old mailbox and while signed in, to the mailbox that another admin requested.
 *
 * @throws TOKEN_REFUSED when the link is used, or the new mailbox belongs to another account.
 */
async function agreeToMove(request: AuthRequest & { actor: Actor }, viewer: Viewer, found: Token): Promise<Verified> {
  const { db, jobs, now } = request;
  try {
    return await db.transaction(async (tx) => {
      const member = await lockMember(tx, found.userId);
      if (!(await spendToken(tx, found.id, now))) fail('TOKEN_REFUSED');
      await moveMailbox(tx, jobs, member, found.email, found.locale, now, viewer.sessionId);
      await audit(tx, request.actor, { action: 'email.changed', resourceType: 'member', resourceId: member.id });
      const cookies = await changeToken(tx, request.auth, viewer.sessionId);
      return { email: found.email, unconfirmed: true as const, cookies };
    });
  } catch (error) {
    if (isTaken(error)) return fail('TOKEN_REFUSED');
    throw error;
  }
}

/**
 * Changes the mailbox of an account; it counts as unproven until its owner opens the link sent there. Sessions (except one) and
 * pending links are ended, and the owner is notified: in the notifications, and by mail to the old mailbox if it was proven.
 */
export async function moveMailbox(
  tx: Tx,
  jobs: JobQueue,
  member: Member,
  email: string,
  locale: MailLocale,
  now: Date,
  exceptSession?: string,
): Promise<void> {
  await tx.update(users).set({ email, emailVerified: false, updatedAt: now }).where(eq(users.id, member.id));
  await endSessions(tx, member.id, exceptSession);
  await dropTokens(tx, member.id);
  if (member.emailVerified)
    await queueMail(tx, jobs, { to: member.email, locale, template: 'emailChanged', data: { to: email } });
  await notifyOfSecurity(tx, member.id, 'email', now);
  await queueVerification(tx, jobs, { id: member.id, email }, locale, now);
}
