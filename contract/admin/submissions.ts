import { z } from 'zod';
import { errors } from '../errors.ts';
import { submissionStatus } from '../fields/schemas.ts';
import { resemblance, resemblanceAccepted } from '../likeness.ts';
import { BULK_MAX } from '../limits.ts';
import { reviewForm } from './forms/submissions.ts';
import { bulkAnswer } from './shared/bulk.ts';
import { adminRead, adminWrite, anyRecord, listInput, pageOf, saving, seenRecord } from './shared/list.ts';

const row = z.object({
  id: z.uuid(),
  version: z.int().positive(),
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

/** On home, where a token address is needed, or in NEXT. */
const madeAs = z.enum(['project', 'next_project']);

export const adminSubmission = row.extend({
  /** Of the team, for the team. */
  adminNotes: z.string(),
  /** To the applicant: in the mail with the decision, and on the private page. */
  answer: z.string(),
  /** The project that was made of it; null before, and again once that is gone for good. */
  made: z.object({ as: madeAs, id: z.uuid(), name: z.string() }).nullable(),
  /** Tokens that are there now and that it could be taken for. */
  resembles: z.array(resemblance),
  /** As stored, whatever it is: to be shown as text, never as markup. */
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
  /** Any status at any time; stamps the moment of the review. A new approval or rejection is mailed to the applicant. */
  review: adminWrite('PUT', '/submissions/{id}', 'Answer a request for publication', ['support'])
    .errors({ ...missing, VERSION_CONFLICT: errors.VERSION_CONFLICT })
    .input(seenRecord.extend(reviewForm.shape))
    .output(adminSubmission),
  /** Several at once, each by itself; notes and answer stay as they are. A new approval or rejection is mailed. */
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
  /** Approves it and makes a pending project of it, which is then edited and published like any other. */
  publish: adminWrite('POST', '/submissions/{id}/project', 'Make a project of a request for publication', ['support'])
    .errors({ ...saving, ALREADY_DONE: errors.ALREADY_DONE, RESEMBLES: errors.RESEMBLES })
    .input(seenRecord.extend({ as: madeAs, resemblanceAccepted, ...reviewForm.omit({ status: true }).shape }))
    .output(adminSubmission.extend({ withImage: z.boolean() })),
};
