import { and, eq, exists, gt, isNotNull, isNull, or } from 'drizzle-orm';
import type { Limit } from '#contract/limits.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { passkeys, recoveryCodes, secondFactors } from '#server/db/tables/account-security.ts';
import { passkeysOf } from '#server/domains/account/passkeys/passkey-challenge.service.ts';
import type { BetterAuth } from '#server/domains/auth/auth.port.ts';
import { endSessions, lockMember } from '#server/domains/auth/members.service.ts';
import { provePassword } from '#server/domains/auth/passwords/password.service.ts';
import { changeToken } from '#server/domains/auth/sessions/session-token.service.ts';
import { notifyOfSecurity } from '#server/domains/notifications/member-events.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { needsPasskey, type Viewer } from '#server/lib/viewer.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import {
  describeSecret,
  hashRecoveryCode,
  makeRecoveryCode,
  makeSecret,
  openSecret,
  sealSecret,
  stepOf,
} from './totp.ts';

const RECOVERY_CODES = 10;
/** Time to confirm a secret that was started: a later session must not enable a secret that an earlier one left unconfirmed. Milliseconds. */
const CONFIRM_MS = 60 * 60_000;

/** Dependencies of the functions on a member's own account. */
export interface AccountContext {
  db: Db;
  jobs: JobQueue;
  secret: string;
  viewer: Viewer;
  actor: Actor;
  publicUrl: string;
  /** Name of the site in authenticator apps and passkey dialogs. */
  siteName: string;
  staffPasskey: boolean;
  auth: BetterAuth;
  /** Sets cookies in the browser; called after the transaction that they belong to. */
  setCookies: (cookies: string[]) => void;
  now: Date;
}

/** True for staff whose only step-up is a passkey: a phishing page can request a code or password too. */
const isProvenByPasskeyOnly = ({ viewer, staffPasskey }: AccountContext): boolean =>
  viewer.hasPasskey && needsPasskey({ staffPasskey }, viewer);

/**
 * Creates a secret; it takes effect once a code of it was entered. Requires a confirmed mailbox: otherwise a person who signed up
 * with another's e-mail could lock the owner out. An account with a passkey requires a step-up too: otherwise a stolen session and
 * password could add an app of the thief's, whose codes are a second factor.
 *
 * @throws FORBIDDEN without confirmed e-mail, ALREADY_DONE when there is an app.
 * @throws STEP_UP_NEEDED for an account with a passkey.
 */
export async function startSecondFactor(account: AccountContext) {
  const { db, viewer, now } = account;
  const secret = makeSecret();
  const cookies = await db.transaction(async (tx) => {
    const member = await lockMember(tx, viewer.id);
    if (!member.emailVerified) fail('FORBIDDEN');
    const hasPasskey = (await passkeysOf(tx, viewer.id)).length > 0;
    if (hasPasskey && !viewer.hasRecentStepUp) fail('STEP_UP_NEEDED');
    const started = { secret: sealSecret(secret, account.secret, viewer.id), createdAt: now };
    const { rowCount } = await tx
      .insert(secondFactors)
      .values({ userId: viewer.id, ...started })
      .onConflictDoUpdate({
        target: secondFactors.userId,
        set: { ...started, lastStep: 0 },
        setWhere: isNull(secondFactors.confirmedAt),
      });
    if (rowCount === 0) fail('ALREADY_DONE');
    await audit(tx, account.actor, {
      action: 'second_factor.started',
      resourceType: 'member',
      resourceId: viewer.id,
    });
    return changeToken(tx, account.auth, viewer.sessionId, hasPasskey ? undefined : 'proved');
  });
  account.setCookies(cookies);
  return describeSecret(secret, { account: viewer.email, siteName: account.siteName });
}

/**
 * Enables the second factor and ends the other sessions, which were opened without it.
 *
 * @returns the recovery codes; they can't be read again.
 * @throws WRONG_CODE, also when the secret was started more than an hour ago.
 */
export async function confirmSecondFactor(
  account: AccountContext,
  code: string,
  locale: MailLocale,
): Promise<string[]> {
  const { db, viewer, now } = account;
  const { codes, cookies } = await db.transaction(async (tx) => {
    const { email } = await lockMember(tx, viewer.id);
    if (!(await takeAppCode(tx, account.secret, viewer.id, code, now, false))) fail('WRONG_CODE');
    await tx.update(secondFactors).set({ confirmedAt: now }).where(eq(secondFactors.userId, viewer.id));
    const codes = await makeRecoveryCodes(tx, account);
    await endSessions(tx, viewer.id, viewer.sessionId);
    await queueMail(tx, account.jobs, { to: email, locale, template: 'secondFactorChanged', data: { on: true } });
    await notifyOfSecurity(tx, viewer.id, 'second_factor_on', now);
    await audit(tx, account.actor, { action: 'second_factor.on', resourceType: 'member', resourceId: viewer.id });
    const proof = isProvenByPasskeyOnly(account) ? undefined : 'proved';
    return { codes, cookies: await changeToken(tx, account.auth, viewer.sessionId, proof) };
  });
  account.setCookies(cookies);
  return codes;
}

/** Replaces the recovery codes; only their hashes are stored. */
export async function makeRecoveryCodes(tx: Tx, { secret, viewer }: AccountContext): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode);
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, viewer.id));
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ userId: viewer.id, codeHash: hashRecoveryCode(secret, viewer.id, code) })));
  return codes;
}

/** Disables the authenticator app; recovery codes remain while there are passkeys. @throws WRONG_CODE */
export async function removeSecondFactor(
  account: AccountContext,
  input: { code: string; locale: MailLocale },
): Promise<void> {
  const { db, viewer, now } = account;
  const cookies = await db.transaction(async (tx) => {
    const { email } = await lockMember(tx, viewer.id);
    if (!(await takeSecondFactor(tx, account.secret, viewer.id, input.code, now))) fail('WRONG_CODE');
    await tx.delete(secondFactors).where(eq(secondFactors.userId, viewer.id));
    // Read here: another tab may have added a passkey meanwhile.
    if ((await passkeysOf(tx, viewer.id)).length === 0)
      await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, viewer.id));
    const { locale } = input;
    await queueMail(tx, account.jobs, { to: email, locale, template: 'secondFactorChanged', data: { on: false } });
    await notifyOfSecurity(tx, viewer.id, 'second_factor_off', now);
    await audit(tx, account.actor, { action: 'second_factor.off', resourceType: 'member', resourceId: viewer.id });
    return changeToken(tx, account.auth, viewer.sessionId, isProvenByPasskeyOnly(account) ? undefined : 'proved');
  });
  account.setCookies(cookies);
}

/**
 * Completes a step-up: by a code if there is a second factor, so that a stolen password is not sufficient, otherwise by the
 * password.
 *
 * @throws PASSKEY_REQUIRED for staff with a passkey where one is required.
 * @throws WRONG_CODE, WRONG_PASSWORD (also when the other kind of proof was given), RATE_LIMITED
 */
export async function completeStepUp(
  account: AccountContext,
  proof: { password?: string; code?: string },
  limits: Record<'password' | 'code', Limit>,
): Promise<void> {
  const { db, viewer, now } = account;
  const how = viewer.hasSecondFactor ? 'code' : 'password';
  if (isProvenByPasskeyOnly(account)) fail('PASSKEY_REQUIRED');
  if (how === 'password') await provePassword(db, viewer.id, proof.password ?? '', limits.password, now);
  else await consumeRateLimits(db, [{ key: `second-factor:setup:${viewer.id}`, limit: limits.code }], now);
  const cookies = await db.transaction(async (tx) => {
    await lockMember(tx, viewer.id);
    if (how === 'code' && !(await takeSecondFactor(tx, account.secret, viewer.id, proof.code ?? '', now)))
      fail('WRONG_CODE');
    await audit(tx, account.actor, {
      action: 'member.proved',
      resourceType: 'member',
      resourceId: viewer.id,
      after: { how },
    });
    return changeToken(tx, account.auth, viewer.sessionId, 'proved');
  });
  account.setCookies(cookies);
}

/** Deletes every second factor of a member: app, passkeys and recovery codes. @returns the number of deleted apps and passkeys. */
export async function dropSecondFactors(tx: Tx, userId: string): Promise<number> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const keys = await tx.delete(passkeys).where(eq(passkeys.userId, userId));
  const app = await tx.delete(secondFactors).where(eq(secondFactors.userId, userId));
  return (keys.rowCount ?? 0) + (app.rowCount ?? 0);
}

/** True for a member with an app or a passkey, in a transaction that locked the member. */
export async function hasSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  const app = and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt));
  return (await tx.$count(secondFactors, app)) > 0 || (await tx.$count(passkeys, eq(passkeys.userId, userId))) > 0;
}

/** Consumes a code of the app or a recovery code of a member with a second factor; each works once. */
export const takeSecondFactor = (tx: Tx, secret: string, userId: string, code: string, now: Date): Promise<boolean> =>
  /^\d{6}$/.test(code)
    ? takeAppCode(tx, secret, userId, code, now, true)
    : takeRecoveryCode(tx, secret, userId, code, now);

async function takeAppCode(
  tx: Tx,
  secret: string,
  userId: string,
  code: string,
  now: Date,
  confirmed: boolean,
): Promise<boolean> {
  const { confirmedAt } = secondFactors;
  const [row] = await tx
    .select({ secret: secondFactors.secret, lastStep: secondFactors.lastStep })
    .from(secondFactors)
    .where(
      and(
        eq(secondFactors.userId, userId),
        confirmed
          ? isNotNull(confirmedAt)
          : and(isNull(confirmedAt), gt(secondFactors.createdAt, new Date(now.getTime() - CONFIRM_MS))),
      ),
    )
    .for('update');
  if (!row) return false;
  const opened = openSecret(row.secret, secret, userId);
  const step = opened && stepOf(opened, code, now, row.lastStep);
  if (step === null) return false;
  await tx.update(secondFactors).set({ lastStep: step }).where(eq(secondFactors.userId, userId));
  return true;
}

async function takeRecoveryCode(tx: Tx, secret: string, userId: string, code: string, now: Date): Promise<boolean> {
  const confirmed = tx
    .select({ id: secondFactors.userId })
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt)));
  const keys = tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId));
  const { rowCount } = await tx
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, hashRecoveryCode(secret, userId, code)),
        isNull(recoveryCodes.usedAt),
        or(exists(confirmed), exists(keys)),
      ),
    );
  return rowCount === 1;
}
