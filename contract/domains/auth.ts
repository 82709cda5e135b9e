import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errors } from '../errors.ts';
import { solvedChallenge } from '../fields/challenge.ts';
import { publicName } from '../fields/schemas.ts';
import { EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN } from '../limits.ts';
import { STAFF_ROLES } from '../staff.ts';

export const role = z.enum(['user', 'moderator', 'admin']);
export type Role = z.infer<typeof role>;
export const staffRole = z.enum(STAFF_ROLES);

/** The signed-in member as the screens need it; clients get information about roles only here. */
export const me = z.object({
  id: z.uuid(),
  email: z.string(),
  emailVerified: z.boolean(),
  username: z.string().nullable(),
  role,
  isAdmin: z.boolean(),
  /** True for moderators, and for admins whose staff roles include it. */
  moderates: z.boolean(),
  /** What staff still has to set up before acting as staff; null when nothing is missing, and for everybody else. */
  staffMissing: z.enum(['PASSWORD_INITIAL', 'SECOND_FACTOR_REQUIRED']).nullable(),
  isForumUser: z.boolean(),
  moderatorRequestStatus: z.enum(['approved', 'pending', 'rejected']),
});
export type Me = z.infer<typeof me>;

const email = z.string().trim().toLowerCase().max(EMAIL_MAX).pipe(z.email());
const password = z.string().min(PASSWORD_MIN).max(PASSWORD_MAX);

export const signUpInput = z.strictObject({
  email,
  password,
  /** When omitted or blank, a random name is generated. */
  username: z
    .union([
      z
        .string()
        .max(200)
        .regex(/^\s*$/)
        .transform(() => ''),
      publicName,
    ])
    .optional(),
  requestModerator: z.boolean().default(false),
  /** Language of the mails that follow. */
  locale: z.enum(['es', 'en']).default('es'),
  challenge: solvedChallenge.optional(),
});
export const signInInput = z.strictObject({ email, password: z.string().min(1).max(PASSWORD_MAX) });

/** Reasons for refusing a new password, in addition to its length. */
export const weakPassword = { PASSWORD_COMMON: errors.PASSWORD_COMMON, PASSWORD_OWN: errors.PASSWORD_OWN };
const limited = { RATE_LIMITED: errors.RATE_LIMITED, BUSY: errors.BUSY };

export const auth = {
  me: oc.route({ method: 'GET', path: '/me', tags: ['auth'], summary: 'Who am I' }).output(me.nullable()),
  /**
   * Creates account, profile and role in one transaction and signs in. When a network creates many accounts, a solved challenge
   * is required.
   */
  signUp: oc
    .route({ method: 'POST', path: '/auth/sign-up', tags: ['auth'], summary: 'Sign up' })
    .errors({
      ...limited,
      CHALLENGE_NEEDED: errors.CHALLENGE_NEEDED,
      SIGN_UP_REFUSED: errors.SIGN_UP_REFUSED,
      USERNAME_TAKEN: errors.USERNAME_TAKEN,
      ...weakPassword,
    })
    .input(signUpInput)
    .output(me),
  signIn: oc
    .route({ method: 'POST', path: '/auth/sign-in', tags: ['auth'], summary: 'Sign in' })
    .errors({
      ...limited,
      INVALID_CREDENTIALS: errors.INVALID_CREDENTIALS,
      SECOND_FACTOR_NEEDED: errors.SECOND_FACTOR_NEEDED,
    })
    .input(signInInput)
    .output(me),
  /** Ends the session of this browser; succeeds without one. */
  signOut: oc
    .route({ method: 'POST', path: '/auth/sign-out', tags: ['auth'], summary: 'Sign out' })
    .output(z.object({ ok: z.literal(true) })),
  /** Claims an admin invitation for the caller's own, verified e-mail. */
  linkAdmin: oc
    .route({ method: 'POST', path: '/auth/link-admin', tags: ['auth'], summary: 'Claim an admin invitation' })
    .errors({ ...limited, UNAUTHORIZED: errors.UNAUTHORIZED, LINK_REFUSED: errors.LINK_REFUSED })
    .input(z.strictObject({ email }))
    .output(me),
  /** Claims a legacy forum profile whose stored e-mail is the caller's own, verified one. */
  linkForumUser: oc
    .route({ method: 'POST', path: '/auth/link-forum-user', tags: ['auth'], summary: 'Claim a legacy forum profile' })
    .errors({ ...limited, UNAUTHORIZED: errors.UNAUTHORIZED, LINK_REFUSED: errors.LINK_REFUSED })
    .input(z.strictObject({ forumUserId: z.string().trim().min(1).max(100) }))
    .output(me),
};
