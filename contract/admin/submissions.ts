import { z } from 'zod';
import { errors } from '../errors.ts';
import { submissionStatus } from '../fields/schemas.ts';
import { BULK_MAX } from '../limits.ts';
import { resemblance, resemblanceAccepted } from '../resemblance.ts';
import { reviewForm } from './forms/submissions.ts';
import { bulkAnswer } from './shared/bulk.ts';
import { adminRead, adminWrite, anyRecord, listInput, pageOf, saving, seenRecord } from './shared/list.ts';

const row = z.object({
  id: z.uuid(),
  version: z.int().positive(),
  /** Reference number for the applicant; null for requests older than the numbers. */
  reference: z.string().nullable(),
  submitterName: z.string().nullable(),
  submitterEmail: z.string().nullable(),
  /** The account that confirmed the sender's mailbox; null without one. */
  memberId: z.uuid().nullable(),
  /** Name of the project, as typed. */
  projectName: z.string(),
  symbol: z.string(),
  status: submissionStatus,
  reviewedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});
export type AdminSubmissionRow = z.infer<typeof row>;

/** On home, which requires a token address, or in NEXT. */
const madeAs = z.enum(['project', 'next_project']);

export const adminSubmission = row.extend({
  /** Internal notes of the team. */
  adminNotes: z.string(),
  /** Message to the applicant: in the mail with the decision, and on the private page. */
  answer: z.string(),
  /** The project that was created from it; null before that and after that project was purged. */
  made: z.object({ as: madeAs, id: z.uuid(), name: z.string() }).nullable(),
  /** Existing tokens that it could be taken for. */
  resembles: z.array(resemblance),
  /** As stored, unvalidated: must be rendered as text, never as markup. */
  projectData: z.unknown(),
});
export type AdminSubmission = z.infer<typeof adminSubmission>;

const missing = { NOT_FOUND: errors.NOT_FOUND };

export const adminSubmissions = {
  list: adminRead('/submissions', 'Requests for publication', ['support'])
    .input(listInput(['createdAt', 'submitterName', 'status', 'reviewedAt'], { status: submissionStatus.optional() }))
    .output(pageOf(row)),
  read: adminRead('/submissions/{id}', 'A request for publication with all of its data', ['support'])
    .errors(missing)
    .input(anyRecord)
    .output(adminSubmission),
  /** Any status can follow any other; sets the time of the review. A new approval or rejection is mailed to the applicant. */
  review: adminWrite('PUT', '/submissions/{id}', 'Answer a request for publication', ['support'])
    .errors({ ...missing, VERSION_CONFLICT: errors.VERSION_CONFLICT })
    .input(seenRecord.extend(reviewForm.shape))
    .output(adminSubmission),
  /** Several in one request, each in its own transaction; notes and message stay unchanged. A new approval or rejection is mailed. */
  reviewMany: adminWrite('PUT', '/submissions', 'Give several requests for publication a status', ['support'])
    .input(
      z.strictObject({
        records: z
          .array(seenRecord.extend({ status: submissionStatus }))
          .min(1)
          .max(BULK_MAX),
      }),
    )
    .output(bulkAnswer),
  /** Approves it and creates a pending project from it, which is then edited and published like any other. */
  publish: adminWrite('POST', '/submissions/{id}/project', 'Make a project of a request for publication', ['support'])
    .errors({ ...saving, ALREADY_DONE: errors.ALREADY_DONE, RESEMBLES: errors.RESEMBLES })
    .input(seenRecord.extend({ as: madeAs, resemblanceAccepted, ...reviewForm.omit({ status: true }).shape }))
    .output(adminSubmission.extend({ withImage: z.boolean() })),
};
