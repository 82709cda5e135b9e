import { z } from 'zod';
import { REASON_MAX } from '../../limits.ts';

/** Explanation of a difference. */
export const explainForm = z.strictObject({ reason: z.string().trim().min(1).max(REASON_MAX) });
