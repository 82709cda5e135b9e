import { and, eq, isNull, sql } from 'drizzle-orm';
import { users } from '#server/db/tables/accounts.ts';
import { lockVotesOf } from '#server/domains/voting/banned-votes.service.ts';
import { auditByOperator, lockAccount } from './accounts.ts';
import { addressOf } from './arguments.ts';
import { withDatabase } from './database.ts';

/** Approves an account; it does not confirm the owner of the mailbox. */
export function confirmUser(word: string): Promise<boolean> {
  const email = addressOf(word);
  return withDatabase(async ({ db }) => {
    const fresh = await db.transaction(async (tx) => {
      const account = await lockAccount(tx, email);
      await lockVotesOf(tx, account.id);
      const { rowCount } = await tx
        .update(users)
        .set({ confirmedAt: sql`now()` })
        .where(and(eq(users.id, account.id), isNull(users.confirmedAt)));
      if (rowCount) await auditByOperator(tx, account, 'member.confirmed');
      return rowCount;
    });
    console.log(fresh ? `${email} is confirmed.` : `${email} was confirmed before.`);
    return true;
  });
}
