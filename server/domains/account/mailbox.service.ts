import { eq, sql } from 'drizzle-orm';
import type { Limit } from '#contract/limits.ts';
import type { Tx } from '#server/db/client.ts';
import { users } from '#server/db/tables/accounts.ts';
import { type AuthRequest, deviceCookie } from '#server/domains/auth/admission.service.ts';
import { endSessions, isTaken, lockMember, type Member } from '#server/domains/auth/members.service.ts';
import { changeToken } from '#server/domains/auth/sessions/session-token.service.ts';
import {
  dropTokens,
  findToken,
  issueToken,
  spendToken,
  type Token,
  tokenEnd,
} from '#server/domains/auth/tokens.service.ts';
import { pagePath, queueVerification } from '#server/domains/auth/verification.service.ts';
import { notifyOfSecurity } from '#server/domains/notifications/happenings.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { normalizeMailbox } from '#server/lib/text/mailbox.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import { type Account, dropSecondFactors } from './second-factor.service.ts';

/** Sends the confirmation link again; nothing when the mailbox is confirmed. */
export async function sendVerification(account: Account, locale: MailLocale): Promise<void> {
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
 * Sends a link to a mailbox that the member wants to use from now on. Whether another account uses it is not even looked
 * at: answer and work are the same, and the link then refuses.
 *
 * @param limit of one mailbox, whoever asks and however it is written: else many accounts would fill a stranger's.
 * @throws RATE_LIMITED
 */
export async function changeEmail(
  account: Account,
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

/**
 * Confirms a mailbox by the link that was sent to it: the account's own, or the one it changes to. It takes both halves at
 * once: the link (the mailbox) and a session of that very account (its password). So whoever signs up with the e-mail of
 * somebody else gains nothing when that person opens the link. All other sessions and pending links end.
 *
 * @returns the confirmed e-mail, and the cookies for this browser, whose session gets another token.
 * @throws TOKEN_REFUSED when the link is used, old, of a former e-mail, or the wished-for e-mail belongs to somebody.
 * @throws UNAUTHORIZED when the link is good, but the browser is not signed in as its account; it stays good.
 */
export async function verifyEmail(
  request: AuthRequest & { viewer: Viewer | null; actor: Actor },
  token: string,
): Promise<{ email: string; cookies: string[] }> {
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
      await tx.execute(sql`update users set email = ${found.email}, email_verified = true, updated_at = ${now.toISOString()}
        where id = ${found.userId}`);
      await endSessions(tx, found.userId, viewer.sessionId);
      await dropTokens(tx, found.userId);
      // Who never proved a mailbox may have mistyped it: a stranger there should not learn the right one.
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
 * The owner of the mailbox takes the account over by a link or code sent there, without its password. Sessions and pending
 * links end. The first time the password of whoever made the account goes too (see the callers), and, unless a mailbox of the
 * account was proven before, its second factors.
 *
 * @returns true the first time.
 */
export async function takeOverByMailbox(tx: Tx, member: Member, now: Date): Promise<boolean> {
  const first = !member.emailVerified;
  if (first) {
    // Staff may have moved the mailbox: what the owner of the account set up is no stranger's then.
    if (!member.everProved) await dropSecondFactors(tx, member.id);
    await tx.execute(
      sql`update users set email_verified = true, updated_at = ${now.toISOString()} where id = ${member.id}`,
    );
  }
  await endSessions(tx, member.id);
  await dropTokens(tx, member.id);
  return first;
}

/**
 * The owner agrees, by the link in the old mailbox and signed in, to the mailbox that a colleague of the staff asked for.
 *
 * @throws TOKEN_REFUSED when the link is used, or the new mailbox belongs to somebody.
 */
async function agreeToMove(
  request: AuthRequest & { actor: Actor },
  viewer: Viewer,
  found: Token,
): Promise<{ email: string; cookies: string[] }> {
  const { db, jobs, now } = request;
  try {
    return await db.transaction(async (tx) => {
      const member = await lockMember(tx, found.userId);
      if (!(await spendToken(tx, found.id, now))) fail('TOKEN_REFUSED');
      await moveMailbox(tx, jobs, member, found.email, found.locale, now, viewer.sessionId);
      await audit(tx, request.actor, { action: 'email.changed', resourceType: 'member', resourceId: member.id });
      return { email: found.email, cookies: await changeToken(tx, request.auth, viewer.sessionId) };
    });
  } catch (error) {
    if (isTaken(error)) return fail('TOKEN_REFUSED');
    throw error;
  }
}

/**
 * Gives an account another mailbox, which counts as unproven until its owner opens the link sent there. Sessions (but for one)
 * and pending links end, and the old mailbox hears of it where it was proven.
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
  await queueVerification(tx, jobs, { id: member.id, email }, locale, now);
}
