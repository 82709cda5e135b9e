import { and, eq, ne } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { sessions, users } from '#server/db/tables/accounts.ts';
import { fail } from '#server/lib/errors/fail.ts';

export interface Member {
  id: string;
  email: string;
  emailVerified: boolean;
  /** True when a mailbox of the account is or was proven. */
  everProved: boolean;
}

/**
 * Locks a member's row, which serializes all changes of mailbox, password, second factor and sessions.
 *
 * @throws UNAUTHORIZED when the account does not exist any more.
 */
export async function lockMember(tx: Tx, userId: string): Promise<Member> {
  const [row] = await tx
    .select({ id: users.id, email: users.email, emailVerified: users.emailVerified, proved: users.mailboxProved })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update');
  const { proved, ...member } = row ?? fail('UNAUTHORIZED');
  return { ...member, everProved: proved || member.emailVerified };
}

/** Ends the sessions of a member, except one. @returns their number. */
export async function endSessions(tx: Tx, userId: string, except?: string): Promise<number> {
  const { rowCount } = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), except ? ne(sessions.id, except) : undefined));
  return rowCount ?? 0;
}

/** Ends the sessions of a member that were opened by a wallet alone, except one. */
export async function endWalletSessions(tx: Tx, userId: string, except: string): Promise<void> {
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), sessions.byWallet, ne(sessions.id, except)));
}

/** True when a write violated a unique constraint. */
export function isTaken(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return ((cause ?? error) as { code?: string }).code === '23505';
}
