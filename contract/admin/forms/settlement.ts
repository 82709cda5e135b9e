import { z } from 'zod';
import { requiredText } from '../../fields/schemas.ts';
import { REASON_MAX } from '../../limits.ts';

/** Explanation of a difference. */
export const explainForm = z.strictObject({ reason: requiredText(1, REASON_MAX) });
