import { randomUUID } from 'node:crypto';
import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { AuditAction } from '#contract/admin/shared/audit-actions.ts';
import type { Limit } from '#contract/limits.ts';
import type { Tx } from '#server/db/client.ts';
import { asBoolean, asText } from '#server/db/expressions.ts';
import { accounts, users } from '#server/db/tables/accounts.ts';
import { takeSecondFactor } from '#server/domains/account/second-factor/second-factor.service.ts';
import { lockMember, type Member } from '#server/domains/auth/members.service.ts';
import {
  countAttempt,
  dropTokens,
  findToken,
  issueCode,
  issueToken,
  MAX_ATTEMPTS,
  spendToken,
  tokenEnd,
  tryCode,
} from '#server/domains/auth/one-time-tokens.service.ts';
import {
  type Admission,
  type AuthRequest,
  admit,
  openSession,
  readCodeId,
  readSecondStep,
  refuseBanned,
  rememberCode,
} from '#server/domains/auth/open-session.service.ts';
import {
  hashPassword,
  hasPassword,
  refuseInitial,
  storePassword,
} from '#server/domains/auth/passwords/password.service.ts';
import { refuseWeak } from '#server/domains/auth/passwords/weak-password.service.ts';
import { viewerById } from '#server/domains/auth/sessions/viewer.service.ts';
import { pagePath } from '#server/domains/auth/verification.service.ts';
import { notifyOfSecurity } from '#server/domains/notifications/member-events.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { addressLimits, consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { normalizeMailbox } from '#server/lib/text/mailbox.ts';
import { needsPasskey } from '#server/lib/viewer.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import { takeOverByMailbox } from './mailbox.service.ts';
import { withMinDuration } from './min-duration.ts';

interface MailRequest {
  email: string;
  locale: MailLocale;
}

/** Rate limits of requests for one e-mail from one IP address, of all requests from one IP address, and of mails to one mailbox. */
type RequestLimits = Record<'account' | 'address' | 'mail', Limit>;

/**
 * Sends a link to choose a new password, if the account exists. Response and time are the same if it does not.
 *
 * @throws RATE_LIMITED
 */
export async function requestPasswordReset(
  request: AuthRequest,
  actor: Actor,
  input: MailRequest,
  limits: RequestLimits,
): Promise<void> {
  const { address } = request;
  await consumeRateLimits(
    request.db,
    [
      // Keyed by e-mail and IP address together, so that a stranger elsewhere can't block the owner.
      ...addressLimits(`reset:${input.email}`, address, limits.account),
      ...addressLimits('reset:address', address, limits.address),
    ],
    request.now,
  );
  await withMinDuration(() =>
    mailMember(request, actor, input, limits.mail, async (tx, member) => {
      const token = await issueToken(tx, 'reset_password', { ...input, userId: member.id, now: request.now });
      const data = { path: pagePath(input.locale, 'reset', token), until: tokenEnd('reset_password', request.now) };
      await queueMail(tx, request.jobs, { to: member.email, locale: input.locale, template: 'resetPassword', data });
      return 'password.reset_asked';
    }),
  );
}

/**
 * Sends a sign-in code, if the account exists; otherwise like requestPasswordReset.
 *
 * @returns the cookie that is required to use the code; the same whether or not the account exists.
 */
export async function requestSignInCode(
  request: AuthRequest,
  actor: Actor,
  input: MailRequest,
  limits: RequestLimits,
): Promise<string> {
  const { address } = request;
  const id = randomUUID();
  await consumeRateLimits(
    request.db,
    [
      ...addressLimits(`code:${input.email}`, address, limits.account),
      ...addressLimits('code:address', address, limits.address),
    ],
    request.now,
  );
  await withMinDuration(() =>
    mailMember(request, actor, input, limits.mail, async (tx, member) => {
      const code = await issueCode(tx, request.secret, id, { ...input, userId: member.id, now: request.now });
      await queueMail(tx, request.jobs, {
        to: member.email,
        locale: input.locale,
        template: 'signInCode',
        data: { code, until: tokenEnd('sign_in', request.now) },
      });
      return 'member.code_asked';
    }),
  );
  return rememberCode(request, id);
}

/**
 * Sends a mail that was requested without a session. Past the limit of mails to a mailbox, requests from unknown IP addresses send
 * no more, without an error; IP addresses that the member used recently are exempt.
 */
async function mailMember(
  { db, now }: AuthRequest,
  actor: Actor,
  input: MailRequest,
  limit: Limit,
  write: (tx: Tx, member: Member) => Promise<AuditAction>,
): Promise<void> {
  const within = await consumeRateLimits(db, [{ key: `mail:to:${normalizeMailbox(input.email)}`, limit }], now).then(
    () => true,
    (error: { code?: string }) => {
      if (error.code !== 'RATE_LIMITED') throw error;
      return false;
    },
  );
  const u = alias(users, 'u');
  const [found] = await db
    .select({
      id: u.id,
      known: sql`exists (select 1 from audit_events a where a.actor_id = u.id and a.ip_hash = ${actor.ipHash})`.mapWith(
        asBoolean,
      ),
    })
    .from(u)
    .where(and(eq(u.email, input.email), or(isNull(u.bannedUntil), lte(u.bannedUntil, now))));
  if (!found || !(within || found.known)) return;
  await db.transaction(async (tx) => {
    const member = await lockMember(tx, found.id);
    if (member.email !== input.email) return;
    const action = await write(tx, member);
    await audit(tx, actor, { action, resourceType: 'member', resourceId: member.id });
  });
}

/**
 * Sets a new password by the link from the mail, ends all sessions and pending links, and opens no session: the second factor is
 * still required at the next sign-in. It proves the mailbox too.
 *
 * @throws TOKEN_REFUSED
 * @throws PASSWORD_SHORT, PASSWORD_OWN, PASSWORD_COMMON; the link stays valid.
 */
export async function resetPassword(
  request: AuthRequest,
  actor: Actor,
  input: { token: string; password: string; locale: MailLocale },
): Promise<void> {
  const { db, now } = request;
  const found = await findToken(db, input.token, ['reset_password'], now);
  if (!found) return fail('TOKEN_REFUSED');
  const owner = await viewerById(db, found.userId);
  await refuseWeak(input.password, { own: [found.email, owner?.username], staff: (owner?.role ?? 'user') !== 'user' });
  await refuseInitial(db, found.userId, input.password);
  const hash = await hashPassword(input.password);
  await db.transaction(async (tx) => {
    const member = await lockMember(tx, found.userId);
    if (!(await spendToken(tx, found.id, now)) || member.email !== found.email) fail('TOKEN_REFUSED');
    await takeOverByMailbox(tx, member, now);
    await storePassword(tx, member.id, hash, now);
    const { locale } = input;
    await queueMail(tx, request.jobs, { to: member.email, locale, template: 'passwordChanged', data: {} });
    await notifyOfSecurity(tx, member.id, 'password', now);
    await audit(
      tx,
      { ...actor, id: member.id, role: 'user' },
      {
        action: 'password.reset',
        resourceType: 'member',
        resourceId: member.id,
      },
    );
  });
}

/**
 * Signs in with the code from the mail. If the mailbox was never proven before, the password is deleted too: it may be another
 * person's.
 *
 * @throws WRONG_CODE for a wrong, used or expired code, in a browser that did not request it, and for an unknown e-mail.
 */
export async function signInWithCode(
  request: AuthRequest,
  actor: Actor,
  input: { email: string; code: string },
): Promise<Admission> {
  const { db, now } = request;
  const codeId = await readCodeId(request);
  const admission = await withMinDuration(async () => {
    const [found] = await db.select({ id: users.id }).from(users).where(eq(users.email, input.email));
    if (!found || !codeId) return null;
    const { id } = found;
    return db.transaction(async (tx) => {
      const member = await lockMember(tx, id);
      // Not `fail`, which would roll back the record of the wrong attempt.
      const locale = await tryCode(tx, request.secret, member, { id: codeId, code: input.code }, now);
      if (!locale) return null;
      if (!member.emailVerified) {
        const hadPassword = await hasPassword(tx, member.id);
        await takeOverByMailbox(tx, member, now);
        await storePassword(tx, member.id, null, now);
        if (hadPassword) {
          const data = { gone: true };
          await queueMail(tx, request.jobs, { to: member.email, locale, template: 'passwordChanged', data });
          await notifyOfSecurity(tx, member.id, 'password_gone', now);
        }
      }
      return admit(tx, request, actor, id, 'code');
    });
  });
  return admission ?? fail('WRONG_CODE');
}

/**
 * Second step of signing in: a code of the app or a recovery code, for the first step in this browser.
 *
 * @throws UNAUTHORIZED without a first step in the last 5 minutes, or after 5 wrong codes: start again.
 * @throws WRONG_CODE
 * @throws PASSKEY_REQUIRED for staff with a passkey where one is required.
 * @throws RATE_LIMITED past the limit of attempts per password. Only a person who has it can use them up, and the owner resets the
 *   limit by choosing a new one.
 */
export async function provideSecondFactor(
  request: AuthRequest,
  actor: Actor,
  code: string,
  limit: Limit,
): Promise<{ userId: string; cookies: string[] }> {
  const { db, now } = request;
  const step = await readSecondStep(request);
  if (!step) return fail('UNAUTHORIZED');
  const who: Actor = { ...actor, id: step.userId, role: 'user' };
  const [password] = await db
    .select({ era: sql`md5(coalesce(${accounts.password}, ''))`.mapWith(asText) })
    .from(users)
    .leftJoin(accounts, and(eq(accounts.userId, users.id), eq(accounts.providerId, 'credential')))
    .where(eq(users.id, step.userId));
  const key = `second-factor:${step.userId}:${password?.era}`;
  await consumeRateLimits(db, [{ key, limit }], now);
  const outcome = await db.transaction(async (tx) => {
    const found = await findToken(tx, step.nonce, ['second_factor'], now, true);
    if (found?.userId !== step.userId || found.attempts >= MAX_ATTEMPTS) return 'UNAUTHORIZED' as const;
    const { id } = await lockMember(tx, step.userId);
    if (await onlyByPasskey(tx, request, id)) return 'PASSKEY_REQUIRED' as const;
    if (!(await takeSecondFactor(tx, request.secret, id, code, now))) {
      await countAttempt(tx, found.id);
      await audit(tx, who, { action: 'member.second_step_failed', resourceType: 'member', resourceId: id });
      return 'WRONG_CODE' as const;
    }
    await spendToken(tx, found.id, now);
    await dropTokens(tx, id, ['sign_in']);
    if (await refuseBanned(tx, who, id, now, 'second step')) return 'UNAUTHORIZED' as const;
    const cookies = await openSession(tx, request, id);
    await audit(tx, who, {
      action: 'member.signed_in',
      resourceType: 'member',
      resourceId: id,
      after: { how: /^\d{6}$/.test(code) ? 'second factor' : 'recovery code' },
    });
    return { userId: id, cookies };
  });
  return typeof outcome === 'string' ? fail(outcome) : outcome;
}

/** True for staff with a passkey where one is required: codes, which a phishing page can request too, are then refused. */
async function onlyByPasskey(tx: Tx, { staffPasskey }: AuthRequest, userId: string): Promise<boolean> {
  const viewer = staffPasskey ? await viewerById(tx, userId) : null;
  return viewer?.hasPasskey === true && needsPasskey({ staffPasskey }, viewer);
}
