import type { Db, Tx } from '#server/db/client.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import { lockMember, type Member } from './members.service.ts';
import { issueToken, tokenEnd } from './one-time-tokens.service.ts';

/**
 * Path of a page in the mail's language. The token is after '#': no server, proxy or log in between receives it, and mail scanners
 * that fetch links do not consume it.
 */
export const pagePath = (locale: MailLocale, page: string, token: string): string =>
  `${locale === 'en' ? '/en' : ''}/${page}#token=${token}`;

/** Queues the mail with the link that confirms the mailbox of an account, with its token, in the caller's transaction. */
export async function queueVerification(
  tx: Tx,
  jobs: JobQueue,
  member: Pick<Member, 'id' | 'email'>,
  locale: MailLocale,
  now: Date,
): Promise<void> {
  const token = await issueToken(tx, 'verify_email', { userId: member.id, email: member.email, locale, now });
  const data = { path: pagePath(locale, 'verify', token), until: tokenEnd('verify_email', now) };
  await queueMail(tx, jobs, { to: member.email, locale, template: 'verifyEmail', data });
}

/**
 * Sends the confirmation link of a new account. In a separate transaction after Better Auth's, which can't be joined: if it fails,
 * the account exists all the same, and the member can request the link again.
 */
export async function welcomeByMail(
  db: Db,
  jobs: JobQueue,
  actor: Actor,
  userId: string,
  locale: MailLocale,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    await queueVerification(tx, jobs, await lockMember(tx, userId), locale, now);
    await audit(tx, actor, { action: 'email.verification_sent', resourceType: 'member', resourceId: userId });
  });
}
