import { admin, provenAdmin } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/editor.ts';
import { listRefunds, readRefund } from './manage.service.ts';
import { openRefundOf, refundUnplaced, sendRefund, withdrawRefund } from './refunds.service.ts';

/** Admin procedures for refunds of money without an order. */
export const unplacedRefundApi = {
  refund: provenAdmin.unplaced.refund.handler(({ input, context }) =>
    refundUnplaced(context, { ...editorOf(context), by: context.me.id }, input),
  ),
};

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
