import { z } from 'zod';
import { publicName } from '../../fields/schemas.ts';
import { EMAIL_MAX } from '../../limits.ts';

const email = z.string().trim().toLowerCase().max(EMAIL_MAX).pipe(z.email());

/** An account that the team adds; without a name it gets one. */
export const newUserForm = z.strictObject({
  email,
  username: z.union([z.literal(''), publicName]).default(''),
  confirmed: z.boolean().default(true),
});

/** What people edit of an account. */
export const userForm = z.strictObject({ email, username: publicName });
