import { z } from 'zod';
import { errors } from '../errors.ts';
import { REQUEST_MAX } from '../limits.ts';
import { submissionStatus } from '../submissions.ts';
import { adminRead, adminWrite, anyRecord, listInput, pageOf, seenRecord } from './list.ts';

const row = z.object({
  id: z.uuid(),
  /** What the applicant quotes; null of requests from before there were any. */
  reference: z.string().nullable(),
  submitterName: z.string().nullable(),
  submitterEmail: z.string().nullable(),
  /** Of the project, as typed. */
  projectName: z.string(),
  symbol: z.string(),
  status: submissionStatus,
  reviewedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});
export type AdminSubmissionRow = z.infer<typeof row>;

export const adminSubmission = row.extend({
  version: z.int().positive(),
  adminNotes: z.string(),
  /** As stored, whatever it is: to be shown as text, never as markup. */
  projectData: z.unknown(),
});
export type AdminSubmission = z.infer<typeof adminSubmission>;

const missing = { NOT_FOUND: errors.NOT_FOUND };

export const adminSubmissions = {
  list: adminRead('/submissions', 'Requests for publication')
    .input(listInput(['createdAt', 'submitterName', 'status', 'reviewedAt'], { status: submissionStatus.optional() }))
    .output(pageOf(row)),
  read: adminRead('/submissions/{id}', 'A request for publication with all of its data')
    .errors(missing)
    .input(anyRecord)
    .output(adminSubmission),
  /** Any status at any time; stamps the moment of the review. */
  review: adminWrite('PUT', '/submissions/{id}', 'Answer a request for publication')
    .errors({ ...missing, VERSION_CONFLICT: errors.VERSION_CONFLICT })
    .input(seenRecord.extend({ status: submissionStatus, adminNotes: z.string().trim().max(REQUEST_MAX.description) }))
    .output(adminSubmission),
};
