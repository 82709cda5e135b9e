import { z } from 'zod';
import { submissionStatus } from '../../fields/schemas.ts';
import { REQUEST_MAX } from '../../limits.ts';

const freeText = z.string().trim().max(REQUEST_MAX.description);

/** The team's decision on a request for publication. */
export const reviewForm = z.strictObject({
  status: submissionStatus,
  adminNotes: freeText,
  /** What is said with the decision; left out it stays as it is, as long as the decision does. */
  answer: freeText.optional(),
});
