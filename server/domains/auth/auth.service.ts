import { randomBytes } from 'node:crypto';
import { APIError } from 'better-auth/api';
import { eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { signInInput, signUpInput } from '#contract/domains/auth.ts';
import type { Limit } from '#contract/limits.ts';
import type { Db } from '#server/db/client.ts';
import { forumUsers } from '#server/db/tables/accounts.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { networksOf } from '#server/lib/network/address.ts';
import { passOrChallenge } from '#server/lib/rate-limits/challenge.ts';
import {
  addressLimits,
  checkLimits,
  consumeRateLimits,
  type LimitUse,
  returnLimits,
} from '#server/lib/rate-limits/rate-limit.ts';
import { impersonatesSite } from '#server/lib/text/confusables.ts';
import { normalizeMailbox } from '#server/lib/text/mailbox.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { type Admission, type AuthRequest, admit, forgetSession, knownDevice } from './open-session.service.ts';
import { guessesOf, recordWrongPassword } from './passwords/guesses.service.ts';
import { isStillPassword, memberByPassword } from './passwords/password.service.ts';
import { refuseWeak } from './passwords/weak-password.service.ts';
import { changeDueToken, endFormerSession } from './sessions/session-token.service.ts';
import { notifyOwner } from './taken-mailbox.service.ts';
import { welcomeByMail } from './verification.service.ts';

/** The cookies of the new session, to be set in the browser. */
export interface SignedIn {
  userId: string;
  cookies: string[];
}

/**
 * Creates account, forum profile, role and audit entry in one transaction (trigger user_created) and opens a session.
 *
 * @param limits `hour` and `day` of accounts created from one IP address, `attemptHour` of failed attempts; networks have a few
 *   times as many. `mailbox` of accounts of one normalized mailbox. Past `busyNet` of a network around the IP address a proof of work
 *   is required. `takenMail` of mails to the owner of a mailbox that was used in an attempt.
 * @throws RATE_LIMITED
 * @throws PASSWORD_OWN, PASSWORD_COMMON
 * @throws CHALLENGE_NEEDED with a challenge to solve.
 * @throws USERNAME_TAKEN when another member has that name or a confusable one, or it suggests speaking for the site.
 * @throws SIGN_UP_REFUSED when the e-mail already has an account; the response does not reveal it.
 */
export async function signUp(
  request: AuthRequest,
  actor: Actor,
  input: z.infer<typeof signUpInput>,
  limits: Record<'attemptHour' | 'hour' | 'day' | 'mailbox' | 'busyNet' | 'takenMail', Limit>,
): Promise<SignedIn> {
  const { db, address, now } = request;
  await consumeRateLimits(db, addressLimits('sign-up:try', address, limits.attemptHour), now);
  await refuseWeak(input.password, { own: [input.email, input.username] });
  const accounts = [
    ...addressLimits('sign-up:hour', address, limits.hour),
    ...addressLimits('sign-up:day', address, limits.day),
    { key: `sign-up:mailbox:${normalizeMailbox(input.email)}`, limit: limits.mailbox },
  ];
  // A refused attempt creates no account. Counted before the creation, so that concurrent attempts can't exceed the limit together.
  await checkLimits(db, accounts, now);
  const [, ...around] = networksOf(address);
  const busy: LimitUse[] = around.map(({ key }, size) => ({ key: `sign-up:busy:${key}`, limit: limits.busyNet, size }));
  const free = await passOrChallenge({ db, secret: request.secret, now, solved: input.challenge }, busy);
  await consumeRateLimits(db, accounts, now);
  try {
    return await createAccount(request, actor, input, limits.takenMail);
  } catch (error) {
    await returnLimits(db, free ? [...accounts, ...busy] : accounts, now);
    throw error;
  }
}

/** @throws USERNAME_TAKEN, SIGN_UP_REFUSED */
async function createAccount(
  request: AuthRequest,
  actor: Actor,
  input: z.infer<typeof signUpInput>,
  takenMail: Limit,
): Promise<SignedIn> {
  const { db, auth, now } = request;
  // The default name is random, so that no mailbox becomes public unseen: only the form suggests a name derived from it.
  const username = input.username || `user_${randomBytes(4).toString('hex')}`;
  if (impersonatesSite(username) || (await usernameTaken(db, username))) fail('USERNAME_TAKEN');
  try {
    const { headers, response } = await auth.api.signUpEmail({
      body: {
        email: input.email,
        password: input.password,
        name: username,
        username,
        requestModerator: input.requestModerator,
      },
      headers: forBetterAuth(request),
      returnHeaders: true,
    });
    const userId = response.user.id;
    await endFormerSession(db, request);
    const who: Actor = { ...actor, id: userId, role: 'user' };
    // The account already exists: a mail that can't be queued must not appear as a failed sign-up.
    await welcomeByMail(db, request.jobs, who, userId, input.locale, now).catch(({ message, cause }: Error) =>
      // Only the cause is logged: a failed query contains its parameters, including the link.
      console.error(
        `confirmation mail of a new account not queued: ${cause instanceof Error ? cause.message : message}`,
      ),
    );
    return { userId, cookies: headers.getSetCookie() };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (await usernameTaken(db, username)) fail('USERNAME_TAKEN');
    // Better Auth reports every failed write as a refusal; if the e-mail is not in the table, it was an internal failure.
    if (!(await notifyOwner(request, input.email, takenMail))) throw error;
    return fail('SIGN_UP_REFUSED');
  }
}

/**
 * Opens a session, or completes the first of two steps for a member with a second factor. Wrong password and unknown e-mail take
 * the same time and get the same response.
 *
 * Unknown browsers together have a limit of wrong attempts per account and hour; after some of them its owner gets a mail.
 *
 * @param limits `minute` and `hour` of attempts from one IP address, `account` of those on one account from it, `device` of those
 *   in a browser in which the account was signed in before: there the limits of networks do not apply.
 * @throws RATE_LIMITED
 * @throws BUSY when the queue is full; known browsers have a queue of their own.
 * @throws INVALID_CREDENTIALS
 */
export async function signIn(
  request: AuthRequest,
  actor: Actor,
  input: z.infer<typeof signInInput>,
  limits: Record<'minute' | 'hour' | 'account' | 'device' | 'guesses' | 'wrong' | 'wrongMail', Limit>,
): Promise<Admission> {
  const { db, now } = request;
  const device = await knownDevice(request, input.email);
  const takes = [
    ...addressLimits('sign-in:minute', request.address, limits.minute),
    ...addressLimits('sign-in:hour', request.address, limits.hour),
    // Keyed by account and IP address together, so that a stranger elsewhere can't lock the owner out.
    ...addressLimits(`sign-in:account:${input.email}`, request.address, limits.account),
  ];
  await consumeRateLimits(
    db,
    // Other users of the same network can't lock a member out of a known browser.
    device
      ? [...takes.filter(({ size = 0 }) => size === 0), { key: `sign-in:device:${device}`, limit: limits.device }]
      : takes,
    now,
  );
  if (!device) await consumeRateLimits(db, [guessesOf(input.email, limits.guesses)], now);
  const found = await memberByPassword(db, input.email, input.password, device ? 'known' : 'stranger');
  if (found && !device) await returnLimits(db, [guessesOf(input.email, limits.guesses)], now);
  const admission =
    found &&
    (await db.transaction(async (tx) =>
      (await isStillPassword(tx, found)) ? admit(tx, request, actor, found.id, 'password') : null,
    ));
  if (admission) return admission;
  if (!found) await recordWrongPassword(request, actor, input.email, limits);
  return fail('INVALID_CREDENTIALS');
}

/**
 * Ends the session of these cookies, if there is one; returns the cookies that delete it. Not by Better Auth, which knows only the
 * present token of a session, and reports success when the session could not be deleted.
 */
export async function signOut(request: AuthRequest, actor: Actor, viewer: Viewer | null): Promise<string[]> {
  await request.db.transaction(async (tx) => {
    await endFormerSession(tx, request);
    if (viewer) await audit(tx, actor, { action: 'member.signed_out', resourceType: 'member', resourceId: viewer.id });
  });
  return forgetSession(request.auth);
}

/**
 * Extends a session that was not renewed for a day, and changes its token after a change of rights; returns the cookies to set,
 * empty when nothing changed.
 */
export async function renewSession(request: AuthRequest, viewer: Viewer): Promise<string[]> {
  if (viewer.tokenDue) return changeDueToken(request.db, request.auth, viewer);
  if (request.now.getTime() - viewer.sessionUpdatedAt.getTime() < 86_400_000) return [];
  const { headers } = await request.auth.api.getSession({ headers: forBetterAuth(request), returnHeaders: true });
  return headers.getSetCookie();
}

async function usernameTaken(db: Db, username: string): Promise<boolean> {
  return (await db.$count(forumUsers, eq(forumUsers.nameKey, sql`florka_name_key(${username})`))) > 0;
}

/** Better Auth only gets the cookie and the IP address that we trust, and no other header of the client. */
function forBetterAuth({ headers, address }: AuthRequest): Headers {
  const picked = new Headers({ 'x-client-address': address });
  for (const name of ['cookie', 'user-agent']) {
    const value = headers.get(name);
    if (value) picked.set(name, value);
  }
  return picked;
}

const isRefusal = (error: unknown) => error instanceof APIError && error.statusCode >= 400 && error.statusCode < 500;
