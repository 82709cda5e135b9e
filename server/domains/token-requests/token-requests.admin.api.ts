import { admin, adminAfterStepUp } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import { closeRequest, reopenRequest } from './closing.service.ts';
import { listTokenRequests, readTokenRequest } from './manage.service.ts';
import { replaceLinkForPayer } from './orders.service.ts';
import { listShowcase, showcaseToken } from './showcase.service.ts';

const done = { ok: true as const };

export const tokenRequestsAdminApi = {
  list: admin.tokenRequests.list.handler(({ input, context }) => listTokenRequests(context.db, input)),
  read: admin.tokenRequests.read.handler(({ input, context }) =>
    readTokenRequest(context.db, context, input.id, context.actor),
  ),
  close: adminAfterStepUp.tokenRequests.close.handler(async ({ input, context }) => {
    await closeRequest(context.db, context, editorOf(context), input);
    return done;
  }),
  replaceLink: admin.tokenRequests.replaceLink.handler(({ input, context }) =>
    replaceLinkForPayer(context.db, context, editorOf(context), input.id),
  ),
  reopen: admin.tokenRequests.reopen.handler(async ({ input, context }) => {
    await reopenRequest(context.db, context, editorOf(context), input.id);
    return done;
  }),
};

export const showcaseAdminApi = {
  list: admin.showcase.list.handler(({ input, context }) => listShowcase(context.db, input.requestId)),
  add: admin.showcase.add.handler(({ input, context }) =>
    showcaseToken(context.db, context.media, editorOf(context), input),
  ),
};
