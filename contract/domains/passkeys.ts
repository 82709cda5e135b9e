import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { PASSKEY_NAME_MAX } from '../limits.ts';
import { me } from './auth.ts';

const done = z.object({ ok: z.literal(true) });
const locale = z.enum(['es', 'en']).default('es');
const name = z.string().trim().min(1).max(PASSKEY_NAME_MAX);
const limited = { RATE_LIMITED: errors.RATE_LIMITED, BUSY: errors.BUSY };
const byMember = { ...limited, UNAUTHORIZED: errors.UNAUTHORIZED };
const proven = { ...byMember, STEP_UP_NEEDED: errors.STEP_UP_NEEDED };
const refused = { PASSKEY_REFUSED: errors.PASSKEY_REFUSED };

/** Options for `navigator.credentials` (WebAuthn Level 3, JSON). */
const options = z.record(z.string(), z.unknown());
const text = z.string().max(20_000);
const answered = {
  id: z.string().min(1).max(1_400),
  rawId: z.string().min(1).max(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};
/** A new passkey, as returned by `navigator.credentials.create`. */
const created = z.strictObject({
  ...answered,
  response: z.strictObject({
    clientDataJSON: text,
    attestationObject: text,
    authenticatorData: text.optional(),
    transports: z.array(z.string().max(30)).max(10).optional(),
    publicKeyAlgorithm: z.int().optional(),
    publicKey: text.optional(),
  }),
});
/** A signature, as returned by `navigator.credentials.get`. */
const signed = z.strictObject({
  ...answered,
  response: z.strictObject({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: z.string().max(200).nullish(),
  }),
});
export type CreatedPasskey = z.infer<typeof created>;
export type SignedByPasskey = z.infer<typeof signed>;

export const passkeyInfo = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  /** Synchronised to other devices by a service. */
  backedUp: z.boolean(),
});
export type PasskeyInfo = z.infer<typeof passkeyInfo>;

const route = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: `/${string}`, summary: string) =>
  oc.route({ method, path, tags: ['account'], summary });

/** The member's passkeys: management, step-up and sign-in. */
export const passkeys = {
  list: route('GET', '/account/passkeys', 'My passkeys')
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED })
    .output(z.array(passkeyInfo)),
  /** FORBIDDEN until the e-mail is confirmed, and when the site's address does not support passkeys. */
  startAdding: route('POST', '/account/passkeys/start', 'Begin to add a passkey')
    .errors({ ...proven, FORBIDDEN: errors.FORBIDDEN, TOO_MANY: errors.TOO_MANY })
    .output(options),
  /** The first second factor of an account returns recovery codes and ends the other sessions. */
  add: route('POST', '/account/passkeys', 'Add a passkey')
    .errors({ ...proven, ...refused, TOO_MANY: errors.TOO_MANY })
    .input(z.strictObject({ response: created, name, locale }))
    .output(z.object({ passkey: passkeyInfo, recoveryCodes: z.array(z.string()) })),
  rename: route('PUT', '/account/passkeys/{id}', 'Name a passkey')
    .errors({ ...byMember, NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ id: z.uuid(), name }))
    .output(passkeyInfo),
  remove: route('POST', '/account/passkeys/{id}/remove', 'Remove a passkey')
    .errors({ ...proven, NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ id: z.uuid(), locale }))
    .output(done),
  startProof: route('POST', '/account/passkeys/proof/start', 'Begin to prove again who I am by passkey')
    .errors({ ...byMember, NOT_FOUND: errors.NOT_FOUND })
    .output(options),
  /** Like `account.prove`, with a passkey. */
  prove: route('POST', '/account/passkeys/proof', 'Prove again who I am by passkey')
    .errors({ ...byMember, ...refused })
    .input(z.strictObject({ response: signed }))
    .output(done),
  /** Reveals nothing about accounts: the device selects the passkey. */
  startSignIn: route('POST', '/auth/passkey/start', 'Begin to sign in by passkey')
    .errors({ ...limited, FORBIDDEN: errors.FORBIDDEN })
    .output(options),
  /** The device verifies its owner by PIN, fingerprint or face, so no second step follows. */
  signIn: route('POST', '/auth/passkey', 'Sign in by passkey')
    .errors({ ...limited, ...refused })
    .input(z.strictObject({ response: signed }))
    .output(me),
  startSecondStep: route('POST', '/auth/second-factor/passkey/start', 'Begin the second step by passkey')
    .errors({ ...limited, UNAUTHORIZED: errors.UNAUTHORIZED, NOT_FOUND: errors.NOT_FOUND })
    .output(options),
  secondStep: route('POST', '/auth/second-factor/passkey', 'Second step of signing in by passkey')
    .errors({ ...limited, ...refused, UNAUTHORIZED: errors.UNAUTHORIZED })
    .input(z.strictObject({ response: signed }))
    .output(me),
};
