import { z } from 'zod';
import { REPORT_NOTE_MAX, ROUND_DAYS_MAX } from '../../limits.ts';

const days = z.int().min(1).max(ROUND_DAYS_MAX);

/** The end of the open round. */
export const roundEndForm = z.strictObject({ closesAt: z.iso.datetime() });
/** Days of the round that follows; null: voting pauses. */
export const nextRoundForm = z.strictObject({ nextDays: days.nullable() });
/** Days of a round that is opened by hand. */
export const newRoundForm = z.strictObject({ days });
/** Why a round closes before its end; everybody reads it. */
export const earlyCloseForm = z.strictObject({ reason: z.string().trim().min(1).max(REPORT_NOTE_MAX) });
