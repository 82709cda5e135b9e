import { admin, provenAdmin } from '#server/http/procedures.ts';
import { editorOf } from '#server/records/editor.ts';
import { listRefunds, readRefund } from './manage.service.ts';
import { openRefundOf, sendRefund, withdrawRefund } from './refunds.service.ts';

export const refundsAdminApi = {
  list: admin.refunds.list.handler(({ input, context }) => listRefunds(context.db, input)),
  open: provenAdmin.refunds.open.handler(async ({ input, context }) =>
    readRefund(context.db, await openRefundOf(context.db, context, editorOf(context), input)),
  ),
  send: provenAdmin.refunds.send.handler(async ({ input, context }) => {
    await sendRefund(context.db, context, editorOf(context), input);
    return readRefund(context.db, input.id);
  }),
  withdraw: provenAdmin.refunds.withdraw.handler(async ({ input, context }) => {
    await withdrawRefund(context.db, context, editorOf(context), input);
    return readRefund(context.db, input.id);
  }),
};
