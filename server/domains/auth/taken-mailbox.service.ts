import { eq } from 'drizzle-orm';
import type { Limit } from '#contract/limits.ts';
import { users } from '#server/db/tables/accounts.ts';
import { memberLocale } from '#server/domains/notifications/member-locale.service.ts';
import { withinRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { queueMail } from '#server/mail/mail.ts';
import type { AuthRequest } from './open-session.service.ts';

/**
 * Mails the owner of a mailbox that was used in a sign-up attempt: the response to that attempt can reveal that the mailbox has an
 * account, so its owner is informed.
 *
 * @param limit of these mails to one mailbox
 * @returns false when no account has the mailbox
 */
export async function notifyOwner(
  { db, jobs, now }: Pick<AuthRequest, 'db' | 'jobs' | 'now'>,
  email: string,
  limit: Limit,
): Promise<boolean> {
  const [owner] = await db.select({ id: users.id, email: users.email }).from(users).where(eq(users.email, email));
  if (!owner) return false;
  if (await withinRateLimits(db, [{ key: `sign-up:notified:${owner.id}`, limit }], now))
    await db.transaction(async (tx) =>
      queueMail(tx, jobs, {
        to: owner.email,
        locale: await memberLocale(tx, owner),
        template: 'signUpTried',
        data: {},
      }),
    );
  return true;
}
