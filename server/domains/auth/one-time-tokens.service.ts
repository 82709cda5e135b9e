import { createHash, createHmac, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { and, eq, gt, inArray, isNull, lt, ne, sql } from 'drizzle-orm';
import type { Reader, Tx } from '#server/db/client.ts';
import { accountTokens } from '#server/db/tables/account-security.ts';
import { deriveKey } from '#server/lib/crypto/derive-key.ts';
import type { MailLocale } from '#server/mail/mail.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** Lifetime of each kind of token. Milliseconds. */
const LIFETIME_MS = {
  verify_email: 24 * HOUR,
  change_email: 24 * HOUR,
  reset_password: 15 * MINUTE,
  sign_in: 10 * MINUTE,
  second_factor: 5 * MINUTE,
  staff_email: 72 * HOUR,
} as const;
export type Purpose = keyof typeof LIFETIME_MS;
/** Seconds within which a sign-in needs its second step. */
export const SECOND_STEP_SECONDS = LIFETIME_MS.second_factor / 1_000;
/** Lifetime of a sign-in code. Seconds. */
export const SIGN_IN_CODE_SECONDS = LIFETIME_MS.sign_in / 1_000;
/** Wrong attempts per short code, and per second step. */
export const MAX_ATTEMPTS = 5;

/** Expiry of a token that is created now, as ISO 8601: mails with it are not sent later. @param life as in Issue. */
export const tokenEnd = (purpose: Purpose, now: Date, life: number = LIFETIME_MS[purpose]): string =>
  new Date(now.getTime() + life).toISOString();

const sha256 = (token: string) => createHash('sha256').update(token).digest();
const codeHash = (secret: string, userId: string, code: string) =>
  createHmac('sha256', deriveKey(secret, 'sign-in code')).update(`${userId}:${code}`).digest();

export interface Issue {
  userId: string;
  /** The mailbox that the token proves. */
  email: string;
  locale?: MailLocale;
  /** The staff member who requested it. */
  requestedBy?: string | null;
  /** Lifetime in milliseconds; by default that of its kind. */
  life?: number;
  now: Date;
}

/**
 * Creates a token of 256 random bits; only its hash is stored. Older ones of the same purpose are ended, except those of sign-ins
 * in progress, of which there may be several.
 */
export async function issueToken(tx: Tx, purpose: Exclude<Purpose, 'sign_in'>, issue: Issue): Promise<string> {
  if (purpose !== 'second_factor') await dropTokens(tx, issue.userId, [purpose]);
  const token = randomBytes(32).toString('base64url');
  await insert(tx, purpose, sha256(token), issue);
  return token;
}

/**
 * Creates a sign-in code of 6 digits. Codes requested by other browsers remain valid: a stranger's request ends no other code.
 *
 * @param id of the code, new and random; only the browser that has it can use the code.
 */
export async function issueCode(tx: Tx, secret: string, id: string, issue: Issue): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await insert(tx, 'sign_in', codeHash(secret, issue.userId, code), issue, id);
  return code;
}

const insert = (
  tx: Tx,
  purpose: Purpose,
  hash: Buffer,
  { userId, email, locale = 'es', requestedBy, life, now }: Issue,
  id: string = randomUUID(),
) =>
  tx.insert(accountTokens).values({
    id,
    userId,
    purpose,
    tokenHash: hash,
    email,
    locale,
    requestedBy: requestedBy ?? null,
    createdAt: now,
    expiresAt: new Date(tokenEnd(purpose, now, life)),
  });

export interface Token {
  id: string;
  userId: string;
  purpose: Purpose;
  email: string;
  locale: MailLocale;
  attempts: number;
}

/** The token, if it has one of these purposes, is unused and not expired; changes nothing. Inside a transaction it is locked. */
export async function findToken(
  db: Reader,
  token: string,
  purposes: Purpose[],
  now: Date,
  lock = false,
): Promise<Token | null> {
  const t = accountTokens;
  const query = db
    .select({ id: t.id, userId: t.userId, purpose: t.purpose, email: t.email, locale: t.locale, attempts: t.attempts })
    .from(t)
    .where(
      and(
        eq(t.tokenHash, sha256(token)),
        inArray(t.purpose, purposes),
        ne(t.purpose, 'sign_in'),
        isNull(t.usedAt),
        gt(t.expiresAt, now),
      ),
    );
  const [found] = await (lock ? query.for('update') : query);
  return found ?? null;
}

/** Consumes a token; false when a concurrent request was first. */
export async function spendToken(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx
    .update(accountTokens)
    .set({ usedAt: now })
    .where(and(eq(accountTokens.id, id), isNull(accountTokens.usedAt)));
  return rowCount === 1;
}

/** Counts a wrong attempt. */
export const countAttempt = (tx: Tx, id: string) =>
  tx
    .update(accountTokens)
    .set({ attempts: sql`${accountTokens.attempts} + 1` })
    .where(eq(accountTokens.id, id));

/**
 * Checks a sign-in code and consumes it when it is correct. A wrong attempt is counted, so the caller's transaction must commit
 * even then. Without the id of a code, its attempts can't be used up.
 *
 * @param id of the code, as passed to `issueCode`.
 * @returns the language it was sent in, or null.
 */
export async function tryCode(
  tx: Tx,
  secret: string,
  member: { id: string; email: string },
  { id, code }: { id: string; code: string },
  now: Date,
): Promise<MailLocale | null> {
  const t = accountTokens;
  const [found] = await tx
    .select({ id: t.id, hash: t.tokenHash, locale: t.locale })
    .from(t)
    .where(
      and(
        eq(t.id, id),
        eq(t.userId, member.id),
        eq(t.purpose, 'sign_in'),
        eq(t.email, member.email),
        isNull(t.usedAt),
        gt(t.expiresAt, now),
        lt(t.attempts, MAX_ATTEMPTS),
      ),
    )
    .for('update');
  if (!found) return null;
  if (timingSafeEqual(found.hash, codeHash(secret, member.id, code)))
    return (await spendToken(tx, found.id, now)) ? found.locale : null;
  await countAttempt(tx, found.id);
  return null;
}

/** Ends tokens of a member: of some purposes, or all. */
export const dropTokens = (tx: Tx, userId: string, purposes: Purpose[] = Object.keys(LIFETIME_MS) as Purpose[]) =>
  tx.delete(accountTokens).where(and(eq(accountTokens.userId, userId), inArray(accountTokens.purpose, purposes)));
