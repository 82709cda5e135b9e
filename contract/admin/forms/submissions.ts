import { z } from 'zod';
import { submissionStatus } from '../../fields/schemas.ts';
import { REQUEST_MAX } from '../../limits.ts';

const freeText = z.string().trim().max(REQUEST_MAX.description);

/** The team's decision on a request for publication. */
export const reviewForm = z.strictObject({
  status: submissionStatus,
  adminNotes: freeText,
  /** Message sent with the decision. When omitted, the stored message is preserved unless the decision changes. */
  answer: freeText.optional(),
});
