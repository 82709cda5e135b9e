import { z } from 'zod';
import { publicName } from '../../fields/schemas.ts';
import { EMAIL_MAX } from '../../limits.ts';

const email = z.string().trim().toLowerCase().max(EMAIL_MAX).pipe(z.email());

/** An account created by the team; a missing name is generated. */
export const newUserForm = z.strictObject({
  email,
  username: z.union([z.literal(''), publicName]).default(''),
  confirmed: z.boolean().default(true),
});

/** Editable fields of an account. */
export const userForm = z.strictObject({ email, username: publicName });
