import { z } from 'zod';

/** Made by a form: 256 random bits. */
export const formKey = z.string().regex(/^[\w-]{43}$/);
