import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { publicName } from '../fields/schemas.ts';
import { EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN } from '../limits.ts';
import { me, weakPassword } from './auth.ts';
import { linkedWallets } from './linked-wallets.ts';
import { passkeys } from './passkeys.ts';

const email = z.string().trim().toLowerCase().max(EMAIL_MAX).pipe(z.email());
const newPasswordErrors = {
  ...weakPassword,
  PASSWORD_SHORT: errors.PASSWORD_SHORT,
  PASSWORD_UNCHANGED: errors.PASSWORD_UNCHANGED,
};
const newPassword = z.string().min(PASSWORD_MIN).max(PASSWORD_MAX);
const password = z.string().min(1).max(PASSWORD_MAX);
const code = z
  .string()
  .trim()
  .regex(/^\d{6}$/);
/** The link's token, 256 random bits. */
const token = z.string().min(20).max(200);
const locale = z.enum(['es', 'en']).default('es');
const done = z.object({ ok: z.literal(true) });

const limited = { RATE_LIMITED: errors.RATE_LIMITED, BUSY: errors.BUSY };
const byMember = { ...limited, UNAUTHORIZED: errors.UNAUTHORIZED };
/** Errors of calls that require the password. */
const proven = { ...byMember, WRONG_PASSWORD: errors.WRONG_PASSWORD };
/** As well, the step-up of a member with a second factor. */
const provenTwice = { ...proven, STEP_UP_NEEDED: errors.STEP_UP_NEEDED };
const tokens = { ...limited, TOKEN_REFUSED: errors.TOKEN_REFUSED };

export const sessionInfo = z.object({
  id: z.uuid(),
  /** The session of the calling browser. */
  current: z.boolean(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime(),
  /** Short name of browser and system, as far as they can be recognised. */
  device: z.string(),
  address: z.string().nullable(),
});
export type SessionInfo = z.infer<typeof sessionInfo>;

export const overview = z.object({
  email: z.string(),
  emailVerified: z.boolean(),
  /** A new e-mail that awaits confirmation. */
  pendingEmail: z.string().nullable(),
  username: z.string(),
  hidePresence: z.boolean(),
  secondFactor: z.boolean(),
  /** True for staff without a second factor, when the installation requires one. */
  secondFactorNeeded: z.boolean(),
  /** Expiry of a password that the program generated; null when its owner chose it, or there is none. */
  passwordUntil: z.iso.datetime().nullable(),
  recoveryCodesLeft: z.int().nonnegative(),
  /** Number of passkeys, whether the site's address allows them, and whether staff must have one. */
  passkeys: z.int().nonnegative(),
  passkeysPossible: z.boolean(),
  passkeyNeeded: z.boolean(),
  /** Without SMTP the screens say where mails are stored. */
  mailTarget: z.enum(['smtp', 'outbox']),
});
export type AccountOverview = z.infer<typeof overview>;

export const account = {
  passkeys,
  wallets: linkedWallets,
  overview: oc
    .route({ method: 'GET', path: '/account', tags: ['account'], summary: 'My account' })
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED })
    .output(overview),
  setUsername: oc
    .route({ method: 'PUT', path: '/account/username', tags: ['account'], summary: 'Change my name' })
    .errors({ ...byMember, USERNAME_TAKEN: errors.USERNAME_TAKEN })
    .input(z.strictObject({ username: publicName }))
    .output(me),
  setPresence: oc
    .route({
      method: 'PUT',
      path: '/account/presence',
      tags: ['account'],
      summary: 'Show or hide me in the online list',
    })
    .errors(byMember)
    .input(z.strictObject({ hide: z.boolean() }))
    .output(done),
  /** Sends a confirmation link to the account's e-mail. */
  sendVerification: oc
    .route({ method: 'POST', path: '/account/verification', tags: ['account'], summary: 'Send the confirmation mail' })
    .errors(byMember)
    .input(z.strictObject({ locale }))
    .output(done),
  /**
   * Valid only in a browser that is signed in as the account: an owner of the mailbox must not confirm an account that somebody
   * else created with it.
   */
  verifyEmail: oc
    .route({
      method: 'POST',
      path: '/account/verification/confirm',
      tags: ['account'],
      summary: 'Confirm a mailbox by its link',
    })
    .errors({ ...tokens, UNAUTHORIZED: errors.UNAUTHORIZED })
    .input(z.strictObject({ token }))
    .output(
      z.object({
        email: z.string(),
        /** The account moved to a mailbox that the team requested; its owner still has to confirm it by the link sent there. */
        unconfirmed: z.literal(true).optional(),
      }),
    ),
  /**
   * Requires step-up from a member with a second factor. The new e-mail takes effect when its link is opened; the response is the same
   * whether or not it is in use.
   */
  changeEmail: oc
    .route({ method: 'POST', path: '/account/email', tags: ['account'], summary: 'Change my e-mail' })
    .errors(provenTwice)
    .input(z.strictObject({ email, password, locale }))
    .output(done),
  /** Requires step-up from a member with a second factor. */
  changePassword: oc
    .route({ method: 'POST', path: '/account/password', tags: ['account'], summary: 'Change my password' })
    .errors({ ...provenTwice, ...newPasswordErrors })
    .input(z.strictObject({ current: password, next: newPassword, locale }))
    .output(done),
  sessions: oc
    .route({ method: 'GET', path: '/account/sessions', tags: ['account'], summary: 'Where I am signed in' })
    .errors({ UNAUTHORIZED: errors.UNAUTHORIZED })
    .output(z.array(sessionInfo)),
  revokeSession: oc
    .route({ method: 'DELETE', path: '/account/sessions/{id}', tags: ['account'], summary: 'Sign one browser out' })
    .errors({ ...byMember, NOT_FOUND: errors.NOT_FOUND, STEP_UP_NEEDED: errors.STEP_UP_NEEDED })
    .input(z.strictObject({ id: z.uuid() }))
    .output(done),
  revokeOtherSessions: oc
    .route({
      method: 'POST',
      path: '/account/sessions/revoke-others',
      tags: ['account'],
      summary: 'Sign all other browsers out',
    })
    .errors({ ...byMember, STEP_UP_NEEDED: errors.STEP_UP_NEEDED })
    .output(done),
  /**
   * Starts the setup of the second factor, which takes effect with `confirmSecondFactor` within an hour. FORBIDDEN until the e-mail
   * is confirmed; an account with a passkey requires step-up.
   */
  startSecondFactor: oc
    .route({ method: 'POST', path: '/account/second-factor', tags: ['account'], summary: 'Set up a second factor' })
    .errors({
      ...proven,
      ALREADY_DONE: errors.ALREADY_DONE,
      FORBIDDEN: errors.FORBIDDEN,
      STEP_UP_NEEDED: errors.STEP_UP_NEEDED,
    })
    .input(z.strictObject({ password }))
    .output(z.object({ uri: z.string(), secret: z.string(), qrSvg: z.string() })),
  confirmSecondFactor: oc
    .route({
      method: 'POST',
      path: '/account/second-factor/confirm',
      tags: ['account'],
      summary: 'Prove the second factor',
    })
    .errors({ ...byMember, WRONG_CODE: errors.WRONG_CODE })
    .input(z.strictObject({ code, locale }))
    .output(z.object({ recoveryCodes: z.array(z.string()) })),
  removeSecondFactor: oc
    .route({
      method: 'POST',
      path: '/account/second-factor/remove',
      tags: ['account'],
      summary: 'Turn the second factor off',
    })
    .errors({ ...proven, WRONG_CODE: errors.WRONG_CODE })
    .input(z.strictObject({ password, code: z.string().trim().min(6).max(40), locale }))
    .output(done),
  /** Step-up: a code of the app or a recovery code for members with a second factor, the password for the others. */
  prove: oc
    .route({ method: 'POST', path: '/account/proof', tags: ['account'], summary: 'Prove again who I am' })
    .errors({ ...proven, WRONG_CODE: errors.WRONG_CODE, PASSKEY_REQUIRED: errors.PASSKEY_REQUIRED })
    .input(z.strictObject({ password: password.optional(), code: z.string().trim().min(6).max(40).optional() }))
    .output(done),
  /** All stored data about the member. */
  export: oc
    .route({ method: 'GET', path: '/account/export', tags: ['account'], summary: 'My data' })
    .errors(byMember)
    .output(z.record(z.string(), z.unknown())),
  /** Deletes the account; its forum texts stay without a name. Requires step-up from a member with a second factor. */
  remove: oc
    .route({ method: 'POST', path: '/account/remove', tags: ['account'], summary: 'Delete my account' })
    .errors({ ...provenTwice, LAST_ADMIN: errors.LAST_ADMIN })
    .input(z.strictObject({ password }))
    .output(done),

  /** Returns the same response in about the same time, whether or not an account exists. */
  requestPasswordReset: oc
    .route({
      method: 'POST',
      path: '/auth/password-reset',
      tags: ['auth'],
      summary: 'Send a link to choose a new password',
    })
    .errors(limited)
    .input(z.strictObject({ email, locale }))
    .output(done),
  /** Ends all sessions; a second factor is still required at the next sign-in. */
  resetPassword: oc
    .route({
      method: 'POST',
      path: '/auth/password-reset/confirm',
      tags: ['auth'],
      summary: 'Choose a new password by its link',
    })
    .errors({ ...tokens, ...newPasswordErrors })
    .input(z.strictObject({ token, password: newPassword, locale }))
    .output(done),
  /** Returns the same response in about the same time, whether or not an account exists. */
  requestSignInCode: oc
    .route({ method: 'POST', path: '/auth/code', tags: ['auth'], summary: 'Send a one-time sign-in code' })
    .errors(limited)
    .input(z.strictObject({ email, locale }))
    .output(done),
  signInWithCode: oc
    .route({ method: 'POST', path: '/auth/code/confirm', tags: ['auth'], summary: 'Sign in with a one-time code' })
    .errors({ ...limited, WRONG_CODE: errors.WRONG_CODE, SECOND_FACTOR_NEEDED: errors.SECOND_FACTOR_NEEDED })
    .input(z.strictObject({ email, code }))
    .output(me),
  /** Second step of any sign-in: a code of the app, or a recovery code. */
  provideSecondFactor: oc
    .route({ method: 'POST', path: '/auth/second-factor', tags: ['auth'], summary: 'Second step of signing in' })
    .errors({
      ...limited,
      WRONG_CODE: errors.WRONG_CODE,
      UNAUTHORIZED: errors.UNAUTHORIZED,
      PASSKEY_REQUIRED: errors.PASSKEY_REQUIRED,
    })
    .input(z.strictObject({ code: z.string().trim().min(6).max(40) }))
    .output(me),
};
