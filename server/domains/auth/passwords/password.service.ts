import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Limit } from '#contract/limits.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asBoolean, orNull } from '#server/db/expressions.ts';
import { accounts, users } from '#server/db/tables/accounts.ts';
import type { Rank } from '#server/lib/concurrency/ranked-queue.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { hashPassword as hash, verifyPassword } from './passwords.ts';

/** Hash of the new password of somebody who proved to be the member. @throws BUSY when too many hashes wait. */
export const hashPassword = (password: string): Promise<string> => hash(password, 'known');

/** Hash of a password that nobody has, so that an unknown e-mail costs the time of a known one. */
const NOBODYS = '$argon2id$v=19$m=19456,t=2,p=1$tQvoCSw4W5vP9xFtiIe0yw$JNTrGjZNN8EFFNFZ7ZBNTihjKjOitIytiL2rq1K5Ons';

interface Stored {
  id: string;
  password: string | null;
  /** The program made it; whether it still counts, by the database's clock. Null: its owner chose it. */
  initial: boolean | null;
}

/** Days after which a password that the program made counts no more. */
export const INITIAL_PASSWORD_DAYS = 3;
/** When a password that the program makes now ends, by the database's clock. */
export const INITIAL_UNTIL = sql`now() + make_interval(days => ${INITIAL_PASSWORD_DAYS})`;
const IS_PASSWORD = eq(accounts.providerId, 'credential');

/** The member that a condition names, with the hash of the password. */
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

/** Whether an account has a password at all. */
export async function hasPassword(db: Reader, userId: string): Promise<boolean> {
  return (await readStored(db, eq(users.id, userId)))?.password != null;
}

/** When a password that the program made ends; null when its owner chose it, or there is none. */
export async function passwordUntil(db: Reader, userId: string): Promise<Date | null> {
  const [row] = await db
    .select({ until: accounts.initialUntil })
    .from(accounts)
    .where(and(eq(accounts.userId, userId), IS_PASSWORD));
  return row?.until ?? null;
}

/** Always one hash of work, whether or not there is anything to compare with. */
async function compare(stored: Stored | undefined, password: string, rank: Rank): Promise<boolean> {
  const right = await verifyPassword({ hash: stored?.password ?? NOBODYS, password }, rank);
  return right && stored?.password != null && stored.initial !== false;
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

/**
 * A password that the program made is no choice for its owner.
 *
 * @throws PASSWORD_UNCHANGED
 */
export async function refuseInitial(db: Reader, userId: string, next: string): Promise<void> {
  const stored = await readStored(db, eq(users.id, userId));
  if (stored?.initial == null || stored.password === null) return;
  if (await verifyPassword({ hash: stored.password, password: next }, 'known')) fail('PASSWORD_UNCHANGED');
}

/**
 * Sets the password of a member, also of one who had none; null takes it away.
 *
 * @param initial the program made it: it counts for INITIAL_PASSWORD_DAYS, and staff chooses another one before acting as such.
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
