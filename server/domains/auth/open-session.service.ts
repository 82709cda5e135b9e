import { timingSafeEqual } from 'node:crypto';
import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db, Tx } from '#server/db/client.ts';
import { asBoolean } from '#server/db/expressions.ts';
import { sessions, users } from '#server/db/tables/accounts.ts';
import { notifyOfSecurity } from '#server/domains/notifications/member-events.service.ts';
import { memberLocale } from '#server/domains/notifications/member-locale.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { deriveKey } from '#server/lib/crypto/derive-key.ts';
import { deviceName } from '#server/lib/text/device-name.ts';
import { queueMail } from '#server/mail/mail.ts';
import type { BetterAuth } from './auth.port.ts';
import { issueToken, SECOND_STEP_SECONDS, SIGN_IN_CODE_SECONDS } from './one-time-tokens.service.ts';
import { addDeviceMark, DEVICE_SECONDS, readDeviceMark } from './sessions/known-device.ts';
import { type AuthCookie, cookieLine, makeSessionToken, sign } from './sessions/session-cookie.ts';
import { endFormerSession } from './sessions/session-token.service.ts';
import { WALLET_SECONDS } from './wallet-challenge.service.ts';

/** The part of a request that the account functions use. */
export interface AuthRequest {
  db: Db;
  auth: BetterAuth;
  jobs: JobQueue;
  secret: string;
  publicUrl: string;
  /** True with two or more admins: app codes are then not accepted from staff with a passkey. */
  staffPasskey: boolean;
  headers: Headers;
  address: string;
  now: Date;
}

/** How long an account is new. */
const NEW_ACCOUNT = sql.raw("interval '1 day'");

/** Sessions per member; beyond it the oldest is ended. */
const MAX_SESSIONS = 10;

/**
 * Opens a session in the caller's transaction, so that session and audit entry are atomic; row and cookie are those of Better Auth,
 * which extends and ends it. Ends the browser's previous session, and the oldest one past ten. The browser becomes a known device
 * of the member.
 *
 * @param byWallet the only proof is a wallet's signature: actions with a step-up require one, and the session ends when its member
 *   becomes staff.
 * @returns the cookies for the browser.
 */
export async function openSession(tx: Tx, request: AuthRequest, userId: string, byWallet = false): Promise<string[]> {
  const context = await request.auth.$context;
  await endFormerSession(tx, request);
  const token = makeSessionToken();
  const { expiresIn } = context.sessionConfig;
  await tx.insert(sessions).values({
    userId,
    token,
    expiresAt: sql`now() + make_interval(secs => ${expiresIn})`,
    ipAddress: request.address,
    userAgent: request.headers.get('user-agent')?.slice(0, 500) ?? '',
    ...(byWallet ? { byWallet, provedAt: new Date(0) } : {}),
  });
  const pastTheLast = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(sql`${sessions.token} = ${token} desc, ${sessions.createdAt} desc, ${sessions.id}`)
    .offset(MAX_SESSIONS);
  const others = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.token, token)))
    .limit(1);
  await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.token, token), inArray(sessions.id, pastTheLast)));
  const [member] = await tx
    .select({
      id: users.id,
      email: users.email,
      confirmed: users.emailVerified,
      isNew: sql`${users.createdAt} > now() - ${NEW_ACCOUNT}`.mapWith(asBoolean),
    })
    .from(users)
    .where(eq(users.id, userId));
  if (member) await notifyOfNewBrowser(tx, request, member, others.length > 0);
  return [
    cookieLine(context.authCookies.sessionToken, `${token}.${sign(context.secret, token)}`, expiresIn),
    await deviceCookie(request, member?.email ?? ''),
  ];
}

interface SignedInMember {
  id: string;
  email: string;
  confirmed: boolean;
  /** True on the first day of an account: a sign-in is then taken for that of its owner when there is no other session. */
  isNew: boolean;
}

/**
 * Notifies a member of a sign-in from a browser in which this account was not signed in before, also by mail where the mailbox is
 * proven: with a stolen password or code that is all its owner would see. The first sign-in of a new account is not announced.
 */
async function notifyOfNewBrowser(tx: Tx, request: AuthRequest, member: SignedInMember, hasOtherSession: boolean) {
  const { now, jobs, headers } = request;
  if ((member.isNew && !hasOtherSession) || (await knownDevice(request, member.email))) return;
  await notifyOfSecurity(tx, member.id, 'signed_in', now);
  if (!member.confirmed) return;
  await queueMail(tx, jobs, {
    to: member.email,
    locale: await memberLocale(tx, member),
    template: 'newSignIn',
    data: { at: now.toISOString(), device: deviceName(headers.get('user-agent')) },
  });
}

/** The `set-cookie` line that marks a browser as a known device for this e-mail, in addition to other accounts. */
export async function deviceCookie({ auth, secret, now, headers }: AuthRequest, email: string): Promise<string> {
  const cookie = (await auth.$context).createAuthCookie('device') as AuthCookie;
  return cookieLine(cookie, addDeviceMark(secret, readCookie(headers, cookie.name), email, now), DEVICE_SECONDS);
}

/** The id of the browser, if this account was signed in there before; otherwise null. */
export async function knownDevice(request: AuthRequest, email: string): Promise<string | null> {
  const { name } = (await request.auth.$context).createAuthCookie('device') as AuthCookie;
  return readDeviceMark(request.secret, readCookie(request.headers, name), email, request.now);
}

/** The cookies that delete the session cookie of a browser. */
export async function forgetSession(auth: BetterAuth): Promise<string[]> {
  return [cookieLine((await auth.$context).authCookies.sessionToken, '', 0)];
}

export interface Admission {
  userId: string;
  cookies: string[];
  /** True when no session was opened yet: the cookies contain the first step, and the second is required. */
  secondStep: boolean;
}

/** Condition for a member `u`. */
const HAS_SECOND_FACTOR = sql`exists (select 1 from second_factors f where f.user_id = u.id and f.confirmed_at is not null)
  or exists (select 1 from passkeys p where p.user_id = u.id)`;

/**
 * Admits a person who proved to be the member: opens a session, or completes the first of two steps. Writes the audit entry, so it
 * has to be the last step of the caller's transaction.
 *
 * @returns null while the member is banned: no session is opened, and that is audited.
 */
export async function admit(
  tx: Tx,
  request: AuthRequest,
  actor: Actor,
  userId: string,
  how: 'password' | 'code' | 'passkey' | 'wallet',
): Promise<Admission | null> {
  const u = alias(users, 'u');
  const [member] = await tx
    .select({ email: u.email, second: HAS_SECOND_FACTOR.mapWith(asBoolean) })
    .from(u)
    .where(eq(u.id, userId))
    .for('no key update');
  if (!member) return null;
  const who: Actor = { ...actor, id: userId, role: 'user' };
  if (await refuseBanned(tx, who, userId, request.now, how)) return null;
  // A passkey proves both factors: possession of the device, and its unlocking.
  const second = member.second && how !== 'passkey';
  const cookies = second
    ? await openSecondStep(tx, request, userId, member.email)
    : await openSession(tx, request, userId, how === 'wallet');
  await audit(tx, who, {
    action: second ? 'member.second_step_asked' : 'member.signed_in',
    resourceType: 'member',
    resourceId: userId,
    after: { how },
  });
  return { userId, cookies, secondStep: second };
}

/** True while the member is banned; writes an audit entry that a person with valid proof was refused. */
export async function refuseBanned(tx: Tx, actor: Actor, userId: string, now: Date, how: string): Promise<boolean> {
  const banned = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), gt(users.bannedUntil, now)));
  if (banned.length === 0) return false;
  await audit(tx, actor, {
    action: 'member.sign_in_refused',
    resourceType: 'member',
    resourceId: userId,
    after: { how, why: 'banned' },
  });
  return true;
}

/** Records in browser and database that the first step was completed; valid for one second step within 5 minutes. */
async function openSecondStep(tx: Tx, request: AuthRequest, userId: string, email: string): Promise<string[]> {
  const nonce = await issueToken(tx, 'second_factor', { userId, email, now: request.now });
  const value = `${userId}.${nonce}`;
  return [cookieLine(await stepCookie(request.auth), `${value}.${sign(stepKey(request), value)}`, SECOND_STEP_SECONDS)];
}

const stepKey = (request: AuthRequest) => deriveKey(request.secret, 'second step');
const stepCookie = async (auth: BetterAuth): Promise<AuthCookie> =>
  (await auth.$context).createAuthCookie('second_factor') as AuthCookie;

/** The first step that was completed in this browser, if the signature is ours. */
export async function readSecondStep(request: AuthRequest): Promise<{ userId: string; nonce: string } | null> {
  const { name } = await stepCookie(request.auth);
  const match = /^([0-9a-f-]{36})\.([\w-]{43})\.([\w+/]{43}=)$/.exec(readCookie(request.headers, name) ?? '');
  if (!match?.[1] || !match[2] || !match[3]) return null;
  const wanted = Buffer.from(sign(stepKey(request), `${match[1]}.${match[2]}`));
  return timingSafeEqual(wanted, Buffer.from(match[3])) ? { userId: match[1], nonce: match[2] } : null;
}

/** The cookies that delete the first step in a browser. */
export const forgetSecondStep = async (auth: BetterAuth): Promise<string[]> => [
  cookieLine(await stepCookie(auth), '', 0),
];

const codeCookie = async (auth: BetterAuth): Promise<AuthCookie> =>
  (await auth.$context).createAuthCookie('sign_in_code') as AuthCookie;

/** The cookie that permits this browser alone to use a sign-in code. @param id of the code, a random UUID. */
export const rememberCode = async ({ auth }: AuthRequest, id: string): Promise<string> =>
  cookieLine(await codeCookie(auth), id, SIGN_IN_CODE_SECONDS);

/** The id of the sign-in code that this browser requested last. */
export async function readCodeId(request: AuthRequest): Promise<string | null> {
  const { name } = await codeCookie(request.auth);
  const value = readCookie(request.headers, name);
  return value && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value) ? value : null;
}

const walletCookie = async (auth: BetterAuth): Promise<AuthCookie> =>
  (await auth.$context).createAuthCookie('wallet') as AuthCookie;

/** The cookie that permits this browser alone to submit the signature of a wallet sign-in; an empty value deletes it. */
export const rememberWallet = async ({ auth }: Pick<AuthRequest, 'auth'>, value: string): Promise<string> =>
  cookieLine(await walletCookie(auth), value, value ? WALLET_SECONDS : 0);

/** The value that `rememberWallet` stored in this browser. */
export async function readWalletBrowser(request: AuthRequest): Promise<string | null> {
  const { name } = await walletCookie(request.auth);
  return readCookie(request.headers, name);
}

function readCookie(headers: Headers, name: string): string | null {
  const part = (headers.get('cookie') ?? '').split('; ').find((pair) => pair.startsWith(`${name}=`));
  if (part === undefined) return null;
  try {
    return decodeURIComponent(part.slice(name.length + 1));
  } catch {
    return null;
  }
}
