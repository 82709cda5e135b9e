import { sessions } from '#server/db/tables/accounts.ts';
import { endSessions } from '#server/domains/auth/members.service.ts';
import { audit } from '#server/lib/audit.ts';
import { auditByOperator, lockAccount } from './accounts.ts';
import { addressOf } from './arguments.ts';
import { OPERATOR, withDatabase } from './database.ts';

/** Ends every session of an account. */
export function revokeSessions(word: string): Promise<boolean> {
  const email = addressOf(word);
  return withDatabase(async ({ db }) => {
    const ended = await db.transaction(async (tx) => {
      const account = await lockAccount(tx, email);
      const sessions = await endSessions(tx, account.id);
      if (sessions > 0) await auditByOperator(tx, account, 'session.all_revoked', { ended: sessions });
      return sessions;
    });
    console.log(`Sessions of ${email} ended: ${ended}`);
    return true;
  });
}

/** Ends every session of everybody, as after a copy of the database got out. Passwords, links and codes stay as they are. */
export function revokeAllSessions(): Promise<boolean> {
  return withDatabase(async ({ db }) => {
    const ended = await db.transaction(async (tx) => {
      const { rowCount } = await tx.delete(sessions);
      const gone = rowCount ?? 0;
      if (gone > 0)
        await audit(tx, OPERATOR, {
          action: 'session.everybody_revoked',
          resourceType: 'session',
          after: { ended: gone },
        });
      return gone;
    });
    console.log(`Sessions ended, of everybody: ${ended}`);
    return true;
  });
}
