import { and, eq } from 'drizzle-orm';
import type { CreatedPasskey, PasskeyInfo, SignedByPasskey } from '#contract/domains/passkeys.ts';
import { PASSKEYS_MAX } from '#contract/limits.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Reader } from '#server/db/client.ts';
import { passkeys, recoveryCodes, secondFactors } from '#server/db/tables/account-security.ts';
import {
  type AccountContext,
  hasSecondFactor,
  makeRecoveryCodes,
} from '#server/domains/account/second-factor/second-factor.service.ts';
import { endSessions, isTaken, lockMember } from '#server/domains/auth/members.service.ts';
import { dropTokens, findToken, spendToken } from '#server/domains/auth/one-time-tokens.service.ts';
import {
  type Admission,
  type AuthRequest,
  admit,
  openSession,
  readSecondStep,
  refuseBanned,
} from '#server/domains/auth/open-session.service.ts';
import { changeToken } from '#server/domains/auth/sessions/session-token.service.ts';
import { notifyOfSecurity } from '#server/domains/notifications/member-events.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import {
  authenticationOptions,
  checkNew,
  checkSignature,
  type Passkey,
  type PasskeyOptions,
  passkeysOf,
  registrationOptions,
} from './passkey-challenge.service.ts';

const infoOf = ({ id, name, createdAt, lastUsedAt, backedUp }: Passkey): PasskeyInfo => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  backedUp,
});

/** A member's passkeys, oldest first. */
export const listPasskeys = async (db: Reader, userId: string): Promise<PasskeyInfo[]> =>
  (await passkeysOf(db, userId)).map(infoOf);

/**
 * Starts the registration of a passkey. Requires a confirmed mailbox: otherwise a person who signed up with another's e-mail could
 * retain access to the account.
 *
 * @throws FORBIDDEN, TOO_MANY
 */
export async function startPasskey(account: AccountContext): Promise<PasskeyOptions> {
  const { db, viewer } = account;
  if (!viewer.emailVerified) fail('FORBIDDEN');
  if ((await passkeysOf(db, viewer.id)).length >= PASSKEYS_MAX) fail('TOO_MANY');
  return registrationOptions(account, viewer);
}

/**
 * Stores the passkey that the device created. The first second factor of an account ends the other sessions, which were opened
 * without it, and creates recovery codes.
 *
 * @returns the recovery codes, which can't be read again; empty when some existed.
 * @throws PASSKEY_REFUSED, TOO_MANY, FORBIDDEN when the mailbox became unproven meanwhile.
 */
export async function addPasskey(
  account: AccountContext,
  input: { response: CreatedPasskey; name: string; locale: MailLocale },
): Promise<{ passkey: PasskeyInfo; recoveryCodes: string[] }> {
  const { db, viewer, now } = account;
  const { name, locale } = input;
  const added = await db
    .transaction(async (tx) => {
      const member = await lockMember(tx, viewer.id);
      if (!member.emailVerified) fail('FORBIDDEN');
      const count = (await passkeysOf(tx, viewer.id)).length;
      if (count >= PASSKEYS_MAX) fail('TOO_MANY');
      // Read here: another tab may have removed the app meanwhile, with the recovery codes.
      const isFirst = !(await hasSecondFactor(tx, viewer.id));
      const made = await checkNew(tx, account, viewer.id, input.response);
      const [row] = await tx
        .insert(passkeys)
        .values({
          userId: viewer.id,
          credentialId: made.credential.id,
          publicKey: Buffer.from(made.credential.publicKey),
          counter: made.credential.counter,
          transports: made.credential.transports ?? [],
          name: cleanText(name, 'line') || 'Passkey',
          backedUp: made.credentialBackedUp,
          createdAt: now,
        })
        .returning();
      const codes = isFirst ? await makeRecoveryCodes(tx, account) : [];
      if (isFirst) await endSessions(tx, viewer.id, viewer.sessionId);
      await queueMail(tx, account.jobs, { to: member.email, locale, template: 'passkeyChanged', data: { on: true } });
      const passkey = infoOf(row ?? fail('PASSKEY_REFUSED'));
      await notifyOfSecurity(tx, viewer.id, 'passkey_on', now, passkey.id);
      await audit(tx, account.actor, {
        action: 'passkey.added',
        resourceType: 'member',
        resourceId: viewer.id,
        after: { passkey: passkey.id },
      });
      return { passkey, codes, cookies: await changeToken(tx, account.auth, viewer.sessionId, 'proved') };
    })
    .catch((error) => (isTaken(error) ? fail('PASSKEY_REFUSED') : Promise.reject(error)));
  account.setCookies(added.cookies);
  return { passkey: added.passkey, recoveryCodes: added.codes };
}

/** Renames one of the member's passkeys. @throws NOT_FOUND */
export async function renamePasskey(
  account: AccountContext,
  input: { id: string; name: string },
): Promise<PasskeyInfo> {
  const { db, viewer } = account;
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(passkeys)
      .set({ name: cleanText(input.name, 'line') || 'Passkey' })
      .where(and(eq(passkeys.id, input.id), eq(passkeys.userId, viewer.id)))
      .returning();
    if (!row) return fail('NOT_FOUND', { what: 'passkey' });
    await audit(tx, account.actor, {
      action: 'passkey.renamed',
      resourceType: 'member',
      resourceId: viewer.id,
      after: { passkey: row.id },
    });
    return infoOf(row);
  });
}

/** Deletes one of the member's passkeys; recovery codes are deleted with the last second factor. @throws NOT_FOUND */
export async function removePasskey(account: AccountContext, input: { id: string; locale: MailLocale }): Promise<void> {
  const { db, viewer } = account;
  const cookies = await db.transaction(async (tx) => {
    const { email } = await lockMember(tx, viewer.id);
    const { rowCount } = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, input.id), eq(passkeys.userId, viewer.id)));
    if (!rowCount) fail('NOT_FOUND', { what: 'passkey' });
    const left = await passkeysOf(tx, viewer.id);
    const app = await tx
      .select({ confirmedAt: secondFactors.confirmedAt })
      .from(secondFactors)
      .where(eq(secondFactors.userId, viewer.id));
    if (left.length === 0 && !app[0]?.confirmedAt)
      await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, viewer.id));
    const { locale } = input;
    await queueMail(tx, account.jobs, { to: email, locale, template: 'passkeyChanged', data: { on: false } });
    await notifyOfSecurity(tx, viewer.id, 'passkey_off', account.now, input.id);
    await audit(tx, account.actor, {
      action: 'passkey.removed',
      resourceType: 'member',
      resourceId: viewer.id,
      before: { passkey: input.id },
    });
    return changeToken(tx, account.auth, viewer.sessionId, 'proved');
  });
  account.setCookies(cookies);
}

/** Starts a step-up by passkey. @throws NOT_FOUND without one. */
export const startPasskeyProof = (account: AccountContext): Promise<PasskeyOptions> =>
  authenticationOptions(account, 'prove', account.viewer.id);

/** Completes a step-up by passkey. @throws PASSKEY_REFUSED */
export async function proveByPasskey(account: AccountContext, response: SignedByPasskey): Promise<void> {
  const { db, viewer } = account;
  const cookies = await db.transaction(async (tx) => {
    await lockMember(tx, viewer.id);
    await checkSignature(tx, account, 'prove', viewer.id, response);
    await audit(tx, account.actor, {
      action: 'member.proved',
      resourceType: 'member',
      resourceId: viewer.id,
      after: { how: 'passkey' },
    });
    return changeToken(tx, account.auth, viewer.sessionId, 'proved');
  });
  account.setCookies(cookies);
}

/** Starts a sign-in by passkey alone; the device selects the account. */
export const startPasskeySignIn = (request: AuthRequest): Promise<PasskeyOptions> =>
  authenticationOptions(request, 'sign_in', null);

/** Signs in by passkey alone. @throws PASSKEY_REFUSED, also while the member is banned. */
export async function signInByPasskey(
  request: AuthRequest,
  actor: Actor,
  response: SignedByPasskey,
): Promise<Admission> {
  const admission = await request.db.transaction(async (tx) => {
    const { userId } = await checkSignature(tx, request, 'sign_in', null, response);
    return admit(tx, request, actor, userId, 'passkey');
  });
  return admission ?? fail('PASSKEY_REFUSED');
}

/** Starts the second step by passkey. @throws UNAUTHORIZED without a first step. @throws NOT_FOUND without a passkey. */
export async function startPasskeySecondStep(request: AuthRequest): Promise<PasskeyOptions> {
  const step = await readSecondStep(request);
  if (!step || !(await findToken(request.db, step.nonce, ['second_factor'], request.now))) return fail('UNAUTHORIZED');
  return authenticationOptions(request, 'second_step', step.userId);
}

/**
 * Second step of signing in, by passkey, for the first step in this browser.
 *
 * @throws UNAUTHORIZED without a first step in the last 5 minutes. @throws PASSKEY_REFUSED
 */
export async function secondStepByPasskey(
  request: AuthRequest,
  actor: Actor,
  response: SignedByPasskey,
): Promise<{ userId: string; cookies: string[] }> {
  const { db, now } = request;
  const step = await readSecondStep(request);
  if (!step) return fail('UNAUTHORIZED');
  const who: Actor = { ...actor, id: step.userId, role: 'user' };
  const admitted = await db.transaction(async (tx) => {
    const found = await findToken(tx, step.nonce, ['second_factor'], now, true);
    if (found?.userId !== step.userId) return fail('UNAUTHORIZED');
    const { id } = await lockMember(tx, step.userId);
    await checkSignature(tx, request, 'second_step', id, response);
    await spendToken(tx, found.id, now);
    await dropTokens(tx, id, ['sign_in']);
    if (await refuseBanned(tx, who, id, now, 'passkey')) return null;
    const cookies = await openSession(tx, request, id);
    await audit(tx, who, {
      action: 'member.signed_in',
      resourceType: 'member',
      resourceId: id,
      after: { how: 'passkey' },
    });
    return { userId: id, cookies };
  });
  return admitted ?? fail('UNAUTHORIZED');
}
