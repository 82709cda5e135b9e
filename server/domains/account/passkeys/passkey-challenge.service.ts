import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { and, DrizzleQueryError, eq, gt, isNull } from 'drizzle-orm';
import type { CreatedPasskey, SignedByPasskey } from '#contract/domains/passkeys.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { passkeyChallenges, passkeys } from '#server/db/tables/account-security.ts';
import { type PasskeySite, passkeySite } from '#server/domains/auth/passkey-site.service.ts';
import { fail } from '#server/lib/errors/fail.ts';

/** Lifetime of a challenge. Milliseconds. */
const LIFETIME_MS = 5 * 60_000;

/** Imported with the first passkey: of all libraries of the server it is one of the largest. */
const webauthn = () => import('@simplewebauthn/server');

type Purpose = (typeof passkeyChallenges.$inferInsert)['purpose'];
export type Passkey = typeof passkeys.$inferSelect;
/** WebAuthn options for the browser, as JSON. */
export type PasskeyOptions = Record<string, unknown>;

interface ChallengeContext {
  db: Db;
  publicUrl: string;
  now: Date;
}

/** @throws FORBIDDEN where the site's address does not support passkeys. */
const siteOf = (publicUrl: string): PasskeySite => passkeySite(publicUrl) ?? fail('FORBIDDEN');

async function storeChallenge(
  db: Db,
  challenge: string,
  purpose: Purpose,
  userId: string | null,
  now: Date,
): Promise<void> {
  await db
    .insert(passkeyChallenges)
    .values({ challenge, purpose, userId, expiresAt: new Date(now.getTime() + LIFETIME_MS) });
}

/** Options for a device to create a passkey; existing ones are excluded, so that a device creates only one. */
export async function registrationOptions(
  { db, publicUrl, siteName, now }: ChallengeContext & { siteName: string },
  member: { id: string; email: string },
): Promise<PasskeyOptions> {
  const { rpID } = siteOf(publicUrl);
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: siteName,
    rpID,
    userID: new TextEncoder().encode(member.id),
    userName: member.email,
    // The model of the device is not needed.
    attestationType: 'none',
    excludeCredentials: (await passkeysOf(db, member.id)).map(described),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await storeChallenge(db, options.challenge, 'add', member.id, now);
  return { ...options };
}

/**
 * Options for a device to sign with one of a member's passkeys, or with any that it has. @throws NOT_FOUND when the member has
 * none.
 */
export async function authenticationOptions(
  { db, publicUrl, now }: ChallengeContext,
  purpose: Exclude<Purpose, 'add'>,
  userId: string | null,
): Promise<PasskeyOptions> {
  const { rpID } = siteOf(publicUrl);
  const known = userId ? await passkeysOf(db, userId) : [];
  if (userId && known.length === 0) fail('NOT_FOUND', { what: 'passkey' });
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID,
    userVerification: 'required',
    allowCredentials: known.map(described),
  });
  await storeChallenge(db, options.challenge, purpose, userId, now);
  return { ...options };
}

export const passkeysOf = (db: Reader, userId: string): Promise<Passkey[]> =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(passkeys.createdAt, passkeys.id);

const described = ({ credentialId, transports }: Passkey) => ({ id: credentialId, transports: transports as never });

/** Consumes a challenge; true once, in time, for this purpose and member. */
async function take(tx: Tx, challenge: string, purpose: Purpose, userId: string | null, now: Date): Promise<boolean> {
  const { rowCount } = await tx
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.challenge, challenge),
        eq(passkeyChallenges.purpose, purpose),
        userId ? eq(passkeyChallenges.userId, userId) : isNull(passkeyChallenges.userId),
        gt(passkeyChallenges.expiresAt, now),
      ),
    );
  return rowCount === 1;
}

/** The reason of a failed check is not revealed: every failure has the same error. */
function refuse(error?: unknown): never {
  if (error instanceof DrizzleQueryError) throw error;
  return fail('PASSKEY_REFUSED');
}

/** The public key that a device created for our challenge. @throws PASSKEY_REFUSED */
export async function checkNew(
  tx: Tx,
  about: { publicUrl: string; now: Date },
  userId: string,
  response: CreatedPasskey,
) {
  const { rpID, origin } = siteOf(about.publicUrl);
  const { verifyRegistrationResponse } = await webauthn();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: (challenge) => take(tx, challenge, 'add', userId, about.now),
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(refuse);
  return verified ? registrationInfo : refuse();
}

/**
 * The passkey that signed our challenge, after recording its use.
 *
 * @param userId required owner; null for any owner.
 * @throws PASSKEY_REFUSED
 */
export async function checkSignature(
  tx: Tx,
  about: { publicUrl: string; now: Date },
  purpose: Exclude<Purpose, 'add'>,
  userId: string | null,
  response: SignedByPasskey,
): Promise<Passkey> {
  const { rpID, origin } = siteOf(about.publicUrl);
  // Before the row is locked.
  const { verifyAuthenticationResponse } = await webauthn();
  const [found] = await tx.select().from(passkeys).where(eq(passkeys.credentialId, response.id)).for('update');
  if (!found || (userId !== null && found.userId !== userId)) return refuse();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => take(tx, challenge, purpose, userId, about.now),
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: { id: found.credentialId, publicKey: Uint8Array.from(found.publicKey), counter: found.counter },
  }).catch(refuse);
  if (!verified) return refuse();
  await tx
    .update(passkeys)
    .set({
      counter: authenticationInfo.newCounter,
      backedUp: authenticationInfo.credentialBackedUp,
      lastUsedAt: about.now,
    })
    .where(eq(passkeys.id, found.id));
  return found;
}
