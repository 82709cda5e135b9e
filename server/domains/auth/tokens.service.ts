import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { desc, eq, sql } from 'drizzle-orm';
import type { Reader, Tx } from '#server/db/client.ts';
import { accountTokens } from '#server/db/tables/account-security.ts';
import { deriveKey } from '#server/lib/derive-key.ts';
import type { MailLocale } from '#server/mail/mail.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** How long each kind is good for. Milliseconds. */
const LIFE = {
  verify_email: 24 * HOUR,
  change_email: 24 * HOUR,
  reset_password: 15 * MINUTE,
  sign_in: 10 * MINUTE,
  second_factor: 5 * MINUTE,
  staff_email: 72 * HOUR,
} as const;
export type Purpose = keyof typeof LIFE;
/** Seconds that a sign-in may wait for its second step. */
export const SECOND_STEP_SECONDS = LIFE.second_factor / 1_000;
/** Wrong tries at one short code, and at one second step. */
export const MAX_ATTEMPTS = 5;

/** When a token ends that is made now, as ISO 8601: mails with it are not sent later. @param life as in Issue. */
export const tokenEnd = (purpose: Purpose, now: Date, life: number = LIFE[purpose]): string =>
  new Date(now.getTime() + life).toISOString();

const sha256 = (token: string) => createHash('sha256').update(token).digest();
const codeHash = (secret: string, userId: string, code: string) =>
  createHmac('sha256', deriveKey(secret, 'sign-in code')).update(`${userId}:${code}`).digest();

export interface Issue {
  userId: string;
  /** The mailbox that the token proves. */
  email: string;
  locale?: MailLocale;
  /** Who of the staff asked for it. */
  askedBy?: string | null;
  /** Milliseconds that it is good for; usually what its kind says. */
  life?: number;
  now: Date;
}

/**
 * Makes a token of 256 random bits; only its hash is kept. Older ones of the same purpose end, but for sign-ins under way,
 * which may be several at once.
 */
export async function issueToken(tx: Tx, purpose: Exclude<Purpose, 'sign_in'>, issue: Issue): Promise<string> {
  if (purpose !== 'second_factor') await dropTokens(tx, issue.userId, [purpose]);
  const token = randomBytes(32).toString('base64url');
  await insert(tx, purpose, sha256(token), issue);
  return token;
}

/** Makes a sign-in code of 6 digits; the older one ends. */
export async function issueCode(tx: Tx, secret: string, issue: Issue): Promise<string> {
  await dropTokens(tx, issue.userId, ['sign_in']);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await insert(tx, 'sign_in', codeHash(secret, issue.userId, code), issue);
  return code;
}

const insert = (tx: Tx, purpose: Purpose, hash: Buffer, { userId, email, locale = 'es', askedBy, life, now }: Issue) =>
  tx.insert(accountTokens).values({
    userId,
    purpose,
    tokenHash: hash,
    email,
    locale,
    askedBy: askedBy ?? null,
    createdAt: now,
    expiresAt: new Date(tokenEnd(purpose, now, life)),
  });

/** The language in which somebody asked for mails last. */
export async function lastLocale(tx: Reader, userId: string): Promise<MailLocale> {
  const [row] = await tx
    .select({ locale: accountTokens.locale })
    .from(accountTokens)
    .where(eq(accountTokens.userId, userId))
    .orderBy(desc(accountTokens.createdAt))
    .limit(1);
  return row?.locale ?? 'es';
}

export interface Token {
  id: string;
  userId: string;
  purpose: Purpose;
  email: string;
  locale: MailLocale;
  tries: number;
}

/** The token, when it is of one of these purposes, unused and in time; changes nothing. Inside a transaction it is locked. */
export async function findToken(
  db: Reader,
  token: string,
  purposes: Purpose[],
  now: Date,
  lock = false,
): Promise<Token | null> {
  const { rows } = await db.execute<Token & Record<string, unknown>>(sql`
    select id, user_id as "userId", purpose, email, locale, tries from account_tokens
    where token_hash = ${sha256(token)} and purpose = any(${sql.param(purposes)}::text[]) and purpose <> 'sign_in'
      and used_at is null and expires_at > ${now.toISOString()} ${lock ? sql`for update` : sql``}`);
  return rows[0] ?? null;
}

/** Uses a token up; false when somebody was faster. */
export async function spendToken(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.execute(
    sql`update account_tokens set used_at = ${now.toISOString()} where id = ${id} and used_at is null`,
  );
  return rowCount === 1;
}

/** Writes down one more wrong try. */
export const countTry = (tx: Tx, id: string) =>
  tx.execute(sql`update account_tokens set tries = tries + 1 where id = ${id}`);

/**
 * Tries a sign-in code and uses it up when it is right. A wrong try counts, so the caller's transaction must commit even
 * then.
 *
 * @returns the language it was sent in, or null.
 */
export async function tryCode(
  tx: Tx,
  secret: string,
  member: { id: string; email: string },
  code: string,
  now: Date,
): Promise<MailLocale | null> {
  const { rows } = await tx.execute<{ id: string; token_hash: Buffer; locale: MailLocale }>(sql`
    select id, token_hash, locale from account_tokens
    where user_id = ${member.id} and purpose = 'sign_in' and email = ${member.email} and used_at is null
      and expires_at > ${now.toISOString()} and tries < ${MAX_ATTEMPTS}
    for update`);
  const found = rows[0];
  if (!found) return null;
  if (timingSafeEqual(found.token_hash, codeHash(secret, member.id, code)))
    return (await spendToken(tx, found.id, now)) ? found.locale : null;
  await countTry(tx, found.id);
  return null;
}

/** Ends tokens of a member: of some purposes, or all. */
export const dropTokens = (tx: Tx, userId: string, purposes: Purpose[] = Object.keys(LIFE) as Purpose[]) =>
  tx.execute(
    sql`delete from account_tokens where user_id = ${userId} and purpose = any(${sql.param(purposes)}::text[])`,
  );
