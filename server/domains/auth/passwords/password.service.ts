import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Limit } from '#contract/limits.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asBoolean, orNull } from '#server/db/expressions.ts';
import { accounts, users } from '#server/db/tables/accounts.ts';
import type { Priority } from '#server/lib/concurrency/priority-queue.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { hashPassword as hash, verifyPassword } from './passwords.ts';

/** Hash of the new password of a person who proved to be the member. @throws BUSY when the queue is full. */
export const hashPassword = (password: string): Promise<string> => hash(password, 'known');

/** Hash of an unknown password, so that an unknown e-mail takes the same time as a known one. */
const NOBODYS = '$argon2id$v=19$m=19456,t=2,p=1$tQvoCSw4W5vP9xFtiIe0yw$JNTrGjZNN8EFFNFZ7ZBNTihjKjOitIytiL2rq1K5Ons';

interface Stored {
  id: string;
  password: string | null;
  /** For a generated password: whether it is still valid, by the database's clock. Null: its owner chose it. */
  initial: boolean | null;
}

/** Days after which a generated password expires. */
export const INITIAL_PASSWORD_DAYS = 3;
/** Expiry of a password that is generated now, by the database's clock. */
export const INITIAL_UNTIL = sql`now() + make_interval(days => ${INITIAL_PASSWORD_DAYS})`;
const IS_PASSWORD = eq(accounts.providerId, 'credential');

/** The member that matches a condition, with the hash of the password. */
const readStored = async (db: Reader, who: SQL): Promise<Stored | undefined> =>
  (
    await db
      .select({
        id: users.id,
        password: accounts.password,
        initial: sql`${accounts.initialUntil} > now()`.mapWith(orNull(asBoolean)),
      })
      .from(users)
      .leftJoin(accounts, and(eq(accounts.userId, users.id), IS_PASSWORD))
      .where(who)
  )[0];

/** True when an account has a password. */
export async function hasPassword(db: Reader, userId: string): Promise<boolean> {
  return (await readStored(db, eq(users.id, userId)))?.password != null;
}

/** Expiry of a generated password; null when its owner chose it, or there is none. */
export async function passwordUntil(db: Reader, userId: string): Promise<Date | null> {
  const [row] = await db
    .select({ until: accounts.initialUntil })
    .from(accounts)
    .where(and(eq(accounts.userId, userId), IS_PASSWORD));
  return row?.until ?? null;
}

/** Always computes one hash, even when there is nothing to compare with. */
async function compare(stored: Stored | undefined, password: string, priority: Priority): Promise<boolean> {
  const right = await verifyPassword({ hash: stored?.password ?? NOBODYS, password }, priority);
  return right && stored?.password != null && stored.initial !== false;
}

/** A member whose password was right, and the hash that it was compared with. */
interface Compared {
  id: string;
  hash: string;
}

/**
 * The member with this e-mail and password, or null; opens no session. Takes constant time.
 *
 * @param priority 'known' from a browser in which this e-mail was signed in before.
 * @throws BUSY
 */
export async function memberByPassword(
  db: Reader,
  email: string,
  password: string,
  priority: Priority = 'stranger',
): Promise<Compared | null> {
  const stored = await readStored(db, eq(users.email, email));
  return (await compare(stored, password, priority)) && stored?.password
    ? { id: stored.id, hash: stored.password }
    : null;
}

/**
 * Locks the member, and returns false when the password was replaced after it was compared: the comparison may wait in a queue, and a
 * session that is opened afterwards would survive the change that ended all others.
 */
export async function isStillPassword(tx: Tx, { id, hash }: Compared): Promise<boolean> {
  // In a statement of its own before the read: one that waits for a lock reads other tables as of before the wait.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update');
  return (await readStored(tx, eq(users.id, id)))?.password === hash;
}

/**
 * Verifies the password of a signed-in member.
 *
 * @throws WRONG_PASSWORD
 * @throws RATE_LIMITED past the limit of attempts, which all verifications of a member's password share.
 */
export async function provePassword(db: Db, userId: string, password: string, limit: Limit, now: Date): Promise<void> {
  await consumeRateLimits(db, [{ key: `proof:${userId}`, limit }], now);
  if (!(await compare(await readStored(db, eq(users.id, userId)), password, 'known'))) fail('WRONG_PASSWORD');
}

/**
 * Refuses the generated password as the owner's new one.
 *
 * @throws PASSWORD_UNCHANGED
 */
export async function refuseInitial(db: Reader, userId: string, next: string): Promise<void> {
  const stored = await readStored(db, eq(users.id, userId));
  if (stored?.initial == null || stored.password === null) return;
  if (await verifyPassword({ hash: stored.password, password: next }, 'known')) fail('PASSWORD_UNCHANGED');
}

/**
 * Sets the password of a member, including one without a password; null deletes it.
 *
 * @param initial a generated password: it is valid for INITIAL_PASSWORD_DAYS, and staff must choose another one before using their
 *   rights.
 */
export async function storePassword(
  tx: Tx,
  userId: string,
  hash: string | null,
  now: Date,
  { initial = false }: { initial?: boolean } = {},
): Promise<void> {
  const made = { password: hash, initialUntil: initial ? INITIAL_UNTIL : null };
  const { rowCount } = await tx
    .update(accounts)
    .set({ ...made, updatedAt: now })
    .where(and(eq(accounts.userId, userId), IS_PASSWORD));
  if (rowCount === 0 && hash !== null)
    await tx.insert(accounts).values({ userId, accountId: userId, providerId: 'credential', ...made });
}
