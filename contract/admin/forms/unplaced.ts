import { z } from 'zod';
import { REPORT_NOTE_MAX } from '../../limits.ts';

const why = z.string().trim().min(1).max(REPORT_NOTE_MAX);

/** The order of the payer, as its number is written, and why. */
export const placeForm = z.strictObject({
  orderId: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^FL-[0-9A-Z]{10}$/),
  reason: why,
});

/** Where the money was settled. */
export const settleUnplacedForm = z.strictObject({ reason: why });
