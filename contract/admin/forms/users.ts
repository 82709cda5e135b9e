import { z } from 'zod';
import { EMAIL_MAX, USERNAME_MAX, USERNAME_MIN } from '../../limits.ts';

const email = z.string().trim().toLowerCase().max(EMAIL_MAX).pipe(z.email());
const username = z.string().trim().min(USERNAME_MIN).max(USERNAME_MAX);

/** An account that the team adds; without a name it gets one. */
export const newUserForm = z.strictObject({
  email,
  username: z.union([z.literal(''), username]).default(''),
  confirmed: z.boolean().default(true),
});

/** What people edit of an account. */
export const userForm = z.strictObject({ email, username });
