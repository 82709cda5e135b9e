import { dropSecondFactors } from '#server/domains/account/second-factor/second-factor.service.ts';
import { endSessions } from '#server/domains/auth/members.service.ts';
import { dropTokens } from '#server/domains/auth/one-time-tokens.service.ts';
import { notifyOfSecurity } from '#server/domains/notifications/member-events.service.ts';
import { memberLocale } from '#server/domains/notifications/member-locale.service.ts';
import { queueMail } from '#server/mail/mail.ts';
import { auditByOperator, lockAccount } from './accounts.ts';
import { addressOf } from './arguments.ts';
import { withDatabase } from './database.ts';

/** Deletes app, passkeys and recovery codes of an account that were lost, and ends its sessions; its owner is notified and mailed. */
export function resetSecondFactor(word: string): Promise<boolean> {
  const email = addressOf(word);
  return withDatabase(async ({ db, jobs }) => {
    await jobs.start();
    const done = await db.transaction(async (tx) => {
      const account = await lockAccount(tx, email);
      if ((await dropSecondFactors(tx, account.id)) === 0) return null;
      const sessions = await endSessions(tx, account.id);
      await dropTokens(tx, account.id);
      await notifyOfSecurity(tx, account.id, 'second_factor_off', new Date());
      const locale = await memberLocale(tx, account);
      await queueMail(tx, jobs, { to: email, locale, template: 'secondFactorChanged', data: { on: false } });
      await auditByOperator(tx, account, 'second_factor.reset_by_operator', { sessions });
      return sessions;
    });
    if (done === null) console.log(`${email} has no second factor.`);
    else
      console.log(
        `${email} has no second factor any more; staff sets up a new one at the next sign-in. Sessions ended: ${done}`,
      );
    return true;
  });
}
