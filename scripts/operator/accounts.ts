// Shared by the commands about accounts.
import { eq } from 'drizzle-orm';
import type { AuditAction } from '#contract/admin/shared/audit-actions.ts';
import type { Tx } from '#server/db/client.ts';
import { users } from '#server/db/tables/accounts.ts';
import { type AuditFields, audit } from '#server/lib/audit.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import { OPERATOR } from './database.ts';

interface Account {
  id: string;
  email: string;
}

/** Id of the account with this e-mail, locked. */
export const lockedId = async (tx: Tx, email: string): Promise<string | undefined> => {
  const [row] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email)).for('no key update');
  return row?.id;
};

/** The account with this e-mail, locked. @throws StartError when there is none. */
export async function lockAccount(tx: Tx, email: string): Promise<Account> {
  const id = await lockedId(tx, email);
  if (!id) throw new StartError(`There is no account with ${email}.`);
  return { id, email };
}

/** @throws StartError when the owner of the mailbox has not confirmed it at this account. */
export async function requireProvenMailbox(tx: Tx, { id, email }: Account): Promise<void> {
  const [row] = await tx.select({ proven: users.emailVerified }).from(users).where(eq(users.id, id));
  if (!row?.proven)
    throw new StartError(
      `The account with ${email} has not confirmed this e-mail: somebody else may have made it. Use admin invite, which waits for that.`,
    );
}

/** Audits what the operator did to an account. */
export const auditByOperator = (tx: Tx, { id }: Account, action: AuditAction, after?: AuditFields) =>
  audit(tx, OPERATOR, { action, resourceType: 'member', resourceId: id, after });
