import { admin, adminAfterStepUp } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import { claimRefund, releaseRefund } from './claims.service.ts';
import { listRefunds, readRefund } from './manage.service.ts';
import { openRefundOf, refundUnplaced, sendRefund, withdrawRefund } from './refunds.service.ts';

/** Admin procedures for refunds of money without an order. */
export const unplacedRefundApi = {
  refund: adminAfterStepUp.unplaced.refund.handler(({ input, context }) =>
    refundUnplaced(context, { ...editorOf(context), by: context.me.id }, input),
  ),
};

const readingOf = (context: { me: { id: string }; now: () => Date }) => ({ me: context.me.id, now: context.now() });

export const refundsAdminApi = {
  list: admin.refunds.list.handler(({ input, context }) => listRefunds(context.db, input, readingOf(context))),
  open: adminAfterStepUp.refunds.open.handler(async ({ input, context }) => {
    const id = await openRefundOf(context.db, context, editorOf(context), input);
    return readRefund(context.db, id, readingOf(context));
  }),
  claim: adminAfterStepUp.refunds.claim.handler(async ({ input, context }) => {
    await claimRefund(context.db, context, editorOf(context), input);
    return readRefund(context.db, input.id, readingOf(context));
  }),
  release: adminAfterStepUp.refunds.release.handler(async ({ input, context }) => {
    await releaseRefund(context.db, context, editorOf(context), input);
    return readRefund(context.db, input.id, readingOf(context));
  }),
  send: adminAfterStepUp.refunds.send.handler(async ({ input, context }) => {
    await sendRefund(context.db, context, editorOf(context), input);
    return readRefund(context.db, input.id, readingOf(context));
  }),
  withdraw: adminAfterStepUp.refunds.withdraw.handler(async ({ input, context }) => {
    await withdrawRefund(context.db, context, editorOf(context), input);
    return readRefund(context.db, input.id, readingOf(context));
  }),
};
