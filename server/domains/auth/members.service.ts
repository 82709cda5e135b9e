import { and, eq, ne } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { sessions, users } from '#server/db/tables/accounts.ts';
import { fail } from '#server/lib/errors/fail.ts';

export interface Member {
  id: string;
  email: string;
  emailVerified: boolean;
  /** Its owner proved a mailbox of the account now or once. */
  everProved: boolean;
}

/** Locks a member's row: everything that touches mailbox, password, second factor or sessions comes one after the other. */
export async function lockMember(tx: Tx, userId: string): Promise<Member> {
  const [row] = await tx
    .select({ id: users.id, email: users.email, emailVerified: users.emailVerified, proved: users.mailboxProved })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update');
  const { proved, ...member } = row ?? fail('UNAUTHORIZED');
  return { ...member, everProved: proved || member.emailVerified };
}

/** Ends the sessions of a member, but for one. @returns how many. */
export async function endSessions(tx: Tx, userId: string, except?: string): Promise<number> {
  const { rowCount } = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), except ? ne(sessions.id, except) : undefined));
  return rowCount ?? 0;
}

/** Ends the sessions of a member that a wallet alone opened, but for one. */
export async function endWalletSessions(tx: Tx, userId: string, except: string): Promise<void> {
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), sessions.byWallet, ne(sessions.id, except)));
}

/** True when a write failed because the value must be unique. */
export function isTaken(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return ((cause ?? error) as { code?: string }).code === '23505';
}
