import { z } from 'zod';
import { requiredText } from '../../fields/schemas.ts';
import { REASON_MAX, ROUND_DAYS_MAX } from '../../limits.ts';

const days = z.int().min(1).max(ROUND_DAYS_MAX);

/** New end of the open round. */
export const roundEndForm = z.strictObject({ closesAt: z.iso.datetime() });
/** Length in days of the following round; null pauses voting. */
export const nextRoundForm = z.strictObject({ nextDays: days.nullable() });
/** Length in days of a round opened by hand. */
export const newRoundForm = z.strictObject({ days });
/** Public reason for closing a round before its end. */
export const earlyCloseForm = z.strictObject({ reason: requiredText(1, REASON_MAX) });
