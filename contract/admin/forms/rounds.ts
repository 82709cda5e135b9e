import { z } from 'zod';

/** The end of the open round. */
export const roundEndForm = z.strictObject({ closesAt: z.iso.datetime() });
