import { randomBytes } from 'node:crypto';
import { APIError } from 'better-auth/api';
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { AuditAction } from '#contract/admin/shared/audit-actions.ts';
import type { signInInput, signUpInput } from '#contract/domains/auth.ts';
import type { Limit } from '#contract/limits.ts';
import type { Db } from '#server/db/client.ts';
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
import { speaksForSite } from '#server/lib/text/letters-alike.ts';
import { normalizeMailbox } from '#server/lib/text/mailbox.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { type Admission, type AuthRequest, admit, knownDevice } from './admission.service.ts';
import { guessesOf, noteWrongPassword } from './passwords/guesses.service.ts';
import { memberByPassword } from './passwords/password.service.ts';
import { refuseWeak } from './passwords/weak-password.service.ts';
import { changeDueToken, endFormerSession } from './sessions/session-token.service.ts';
import { notifyOwner } from './taken-mailbox.service.ts';
import { welcomeByMail } from './verification.service.ts';

/** The cookies of the new session, to be handed to the browser. */
export interface SignedIn {
  userId: string;
  cookies: string[];
}

/**
 * Creates account, forum profile, role and audit entry in one transaction (trigger user_created) and opens a session.
 *
 * @param limits `hour` and `day` of accounts made from one address, `attemptHour` of tries that make none; networks have a few
 *   times as many. `mailbox` of accounts of one mailbox, however it is written. Past `busyNet` of a network around the
 *   address a proof of work is asked for. `takenMail` of mails to an owner whose mailbox was tried.
 * @throws RATE_LIMITED
 * @throws PASSWORD_OWN, PASSWORD_COMMON
 * @throws CHALLENGE_NEEDED with a challenge to solve.
 * @throws USERNAME_TAKEN when somebody has that name or one that looks like it, or it speaks for the site.
 * @throws SIGN_UP_REFUSED when the e-mail has an account already; the answer does not say so.
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
  // A refusal makes no account. Counted before there is one, so that tries at once can't pass together.
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
  // Nobody's mailbox becomes public without having been seen: the form suggests a name of it, the server makes none.
  const username = input.username || `user_${randomBytes(4).toString('hex')}`;
  if (speaksForSite(username) || (await usernameTaken(db, username))) fail('USERNAME_TAKEN');
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
    // The account stands already: a mail that can't be queued must not look like a failed sign-up.
    await welcomeByMail(db, request.jobs, who, userId, input.locale, now).catch(({ message, cause }: Error) =>
      // The reason alone: a failed query names its parameters, the link among them.
      console.error(
        `confirmation mail of a new account not queued: ${cause instanceof Error ? cause.message : message}`,
      ),
    );
    return { userId, cookies: headers.getSetCookie() };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (await usernameTaken(db, username)) fail('USERNAME_TAKEN');
    // Better Auth calls every failed write a refusal; without that e-mail in the table it was a failure of ours.
    if (!(await notifyOwner(request, input.email, takenMail))) throw error;
    return fail('SIGN_UP_REFUSED');
  }
}

/**
 * Opens a session, or the first of two steps for a member with a second factor. Wrong password and unknown e-mail cost the
 * same time and get the same answer.
 *
 * Strangers' browsers together get a number of wrong tries of one account an hour; after some its owner gets a mail.
 *
 * @param limits `minute` and `hour` of tries from one address, `account` of those on one account from it, `device` of those
 *   in a browser in which the account was signed in before: there the address's networks do not count.
 * @throws RATE_LIMITED
 * @throws BUSY when too many wait for their turn; those browsers have a queue of their own.
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
    // Account and address together: a stranger elsewhere can't lock the owner out.
    ...addressLimits(`sign-in:account:${input.email}`, request.address, limits.account),
  ];
  await consumeRateLimits(
    db,
    // Neighbours can't lock out a member in a browser of theirs.
    device
      ? [...takes.filter(({ size = 0 }) => size === 0), { key: `sign-in:device:${device}`, limit: limits.device }]
      : takes,
    now,
  );
  if (!device) await consumeRateLimits(db, [guessesOf(input.email, limits.guesses)], now);
  const userId = await memberByPassword(db, input.email, input.password, device ? 'known' : 'stranger');
  if (userId && !device) await returnLimits(db, [guessesOf(input.email, limits.guesses)], now);
  const admission = userId && (await db.transaction((tx) => admit(tx, request, actor, userId, 'password')));
  if (admission) return admission;
  if (!userId) await noteWrongPassword(request, actor, input.email, limits);
  return fail('INVALID_CREDENTIALS');
}

/** Ends the session of these cookies, if there is one; answers with the cookies that clear it. */
export async function signOut(request: AuthRequest, actor: Actor, viewer: Viewer | null): Promise<string[]> {
  const { headers } = await request.auth.api.signOut({ headers: forBetterAuth(request), returnHeaders: true });
  if (viewer) await record(request.db, actor, 'member.signed_out', viewer.id);
  return headers.getSetCookie();
}

/**
 * Prolongs a session that was not renewed for a day, and changes its token after a change of rights; answers with the cookies
 * to set, none when there is nothing to do.
 */
export async function renewSession(request: AuthRequest, viewer: Viewer): Promise<string[]> {
  if (viewer.tokenDue) return changeDueToken(request.db, request.auth, viewer);
  if (request.now.getTime() - viewer.sessionUpdatedAt.getTime() < 86_400_000) return [];
  const { headers } = await request.auth.api.getSession({ headers: forBetterAuth(request), returnHeaders: true });
  return headers.getSetCookie();
}

async function usernameTaken(db: Db, username: string): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 from forum_users where name_key = florka_name_key(${username})`);
  return rows.length > 0;
}

const record = (db: Db, actor: Actor, action: AuditAction, memberId: string | null) =>
  db.transaction((tx) => audit(tx, actor, { action, resourceType: 'member', resourceId: memberId }));

/** Better Auth hears the cookie and the address that we trust, nothing else of what the client says. */
function forBetterAuth({ headers, address }: AuthRequest): Headers {
  const picked = new Headers({ 'x-client-address': address });
  for (const name of ['cookie', 'user-agent']) {
    const value = headers.get(name);
    if (value) picked.set(name, value);
  }
  return picked;
}

const isRefusal = (error: unknown) => error instanceof APIError && error.statusCode >= 400 && error.statusCode < 500;
