import { and, eq, type SQL } from 'drizzle-orm';
import type { Limit } from '#contract/limits.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { accounts, users } from '#server/db/tables/accounts.ts';
import { fail } from '#server/lib/fail.ts';
import type { Rank } from '#server/lib/ranked-queue.ts';
import { consumeRateLimits } from '#server/lib/rate-limit.ts';
import { hashPassword as hash, verifyPassword } from './passwords.ts';

/** Hash of the new password of somebody who proved to be the member. @throws BUSY when too many hashes wait. */
export const hashPassword = (password: string): Promise<string> => hash(password, 'known');

/** Hash of a password that nobody has, so that an unknown e-mail costs the time of a known one. */
const NOBODYS = '$argon2id$v=19$m=19456,t=2,p=1$tQvoCSw4W5vP9xFtiIe0yw$JNTrGjZNN8EFFNFZ7ZBNTihjKjOitIytiL2rq1K5Ons';

interface Stored {
  id: string;
  password: string | null;
}

const IS_PASSWORD = eq(accounts.providerId, 'credential');

/** The member that a condition names, with the hash of the password. */
const readStored = async (db: Reader, who: SQL): Promise<Stored | undefined> =>
  (
    await db
      .select({ id: users.id, password: accounts.password })
      .from(users)
      .leftJoin(accounts, and(eq(accounts.userId, users.id), IS_PASSWORD))
      .where(who)
  )[0];

/** Always one hash of work, whether or not there is anything to compare with. */
async function compare(stored: Stored | undefined, password: string, rank: Rank): Promise<boolean> {
  const right = await verifyPassword({ hash: stored?.password ?? NOBODYS, password }, rank);
  return right && stored?.password != null;
}

/**
 * Id of the member with this e-mail and password, or null; opens nothing. Every answer costs the same.
 *
 * @param rank 'known' from a browser in which this e-mail was signed in before.
 * @throws BUSY
 */
export async function memberByPassword(
  db: Reader,
  email: string,
  password: string,
  rank: Rank = 'stranger',
): Promise<string | null> {
  const stored = await readStored(db, eq(users.email, email));
  return (await compare(stored, password, rank)) ? (stored?.id ?? null) : null;
}

/**
 * Asks a signed-in member for the password again.
 *
 * @throws WRONG_PASSWORD
 * @throws RATE_LIMITED past the limit of tries, which all questions for a member's password share.
 */
export async function provePassword(db: Db, userId: string, password: string, limit: Limit, now: Date): Promise<void> {
  await consumeRateLimits(db, [{ key: `proof:${userId}`, limit }], now);
  if (!(await compare(await readStored(db, eq(users.id, userId)), password, 'known'))) fail('WRONG_PASSWORD');
}

/** Sets the password of a member, also of one who had none; null takes it away. */
export async function storePassword(tx: Tx, userId: string, hash: string | null, now: Date): Promise<void> {
  const { rowCount } = await tx
    .update(accounts)
    .set({ password: hash, updatedAt: now })
    .where(and(eq(accounts.userId, userId), IS_PASSWORD));
  if (rowCount === 0 && hash !== null)
    await tx.insert(accounts).values({ userId, accountId: userId, providerId: 'credential', password: hash });
}
