import { z } from 'zod';
import { requiredText } from '../../fields/schemas.ts';
import { REASON_MAX } from '../../limits.ts';

const why = requiredText(1, REASON_MAX);

/** The number of the order that the deposit belongs to, as displayed, and the reason. */
export const placeForm = z.strictObject({
  orderId: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^FL-[0-9A-Z]{10}$/),
  reason: why,
});

/** How the deposit was settled outside of the orders. */
export const settleUnplacedForm = z.strictObject({ reason: why });
