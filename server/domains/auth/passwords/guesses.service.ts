import { eq } from 'drizzle-orm';
import type { Limit } from '#contract/limits.ts';
import { users } from '#server/db/tables/accounts.ts';
import type { AuthRequest } from '#server/domains/auth/open-session.service.ts';
import { memberLocale } from '#server/domains/notifications/member-locale.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { type LimitUse, withinRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { queueMail } from '#server/mail/mail.ts';

/** Rate limit of attempts at an account's password from unknown browsers, whatever their IP addresses. */
export const guessesOf = (email: string, limit: Limit): LimitUse => ({ key: `sign-in:guesses:${email}`, limit });

/**
 * Records a wrong password and the account that it was for. After several of them its owner gets a mail, at most one a day. Apart
 * from that mail, the queries are the same for an e-mail without an account.
 */
export async function recordWrongPassword(
  request: AuthRequest,
  actor: Actor,
  email: string,
  limits: Record<'wrong' | 'wrongMail', Limit>,
): Promise<void> {
  const burst = !(await withinRateLimits(
    request.db,
    [{ key: `sign-in:wrong:${email}`, limit: limits.wrong }],
    request.now,
  ));
  const notifies =
    burst &&
    (await withinRateLimits(request.db, [{ key: `sign-in:notified:${email}`, limit: limits.wrongMail }], request.now));
  await request.db.transaction(async (tx) => {
    const [target] = await tx.select({ id: users.id, email: users.email }).from(users).where(eq(users.email, email));
    if (notifies && target)
      await queueMail(tx, request.jobs, {
        to: target.email,
        locale: await memberLocale(tx, target),
        template: 'wrongPasswords',
        data: { attempts: limits.wrong.hits },
      });
    await audit(tx, actor, {
      action: 'member.sign_in_failed',
      resourceType: 'member',
      resourceId: target?.id ?? null,
    });
  });
}
