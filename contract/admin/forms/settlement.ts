import { z } from 'zod';
import { REPORT_NOTE_MAX } from '../../limits.ts';

/** Explanation of a difference. */
export const explainForm = z.strictObject({ reason: z.string().trim().min(1).max(REPORT_NOTE_MAX) });
