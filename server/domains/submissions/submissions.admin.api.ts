import { admin } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import {
  listSubmissions,
  publishSubmission,
  readSubmissionForAdmin,
  reviewSubmission,
  reviewSubmissions,
} from './manage.service.ts';

export const submissionsAdminApi = {
  list: admin.submissions.list.handler(({ input, context }) => listSubmissions(context.db, input)),
  read: admin.submissions.read.handler(({ input, context }) => readSubmissionForAdmin(context.db, input.id)),
  review: admin.submissions.review.handler(({ input, context }) =>
    reviewSubmission(context.db, context, editorOf(context), input),
  ),
  reviewMany: admin.submissions.reviewMany.handler(({ input, context }) =>
    reviewSubmissions(context.db, context, editorOf(context), input.records),
  ),
  publish: admin.submissions.publish.handler(({ input, context }) =>
    publishSubmission(context.db, context, editorOf(context), input),
  ),
};
