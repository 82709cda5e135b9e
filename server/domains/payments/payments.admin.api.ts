import { admin, provenAdmin } from '#server/http/procedures.ts';
import { editorOf } from '#server/records/editor.ts';
import { askProvider, notePayment, requestOfPayment } from './manage.service.ts';
import { listUnplaced, settleElsewhere } from './unplaced.service.ts';

const done = { ok: true as const };

/** What admins do about payments, under `admin.tokenRequests`. */
export const paymentsAdminApi = {
  ofPayment: admin.tokenRequests.ofPayment.handler(({ input, context }) =>
    requestOfPayment(context.db, input.paymentId),
  ),
  askProvider: admin.tokenRequests.askProvider.handler(({ input, context }) =>
    askProvider(context.db, context.payments, context.actor, input.paymentId),
  ),
  acceptPayment: provenAdmin.tokenRequests.acceptPayment.handler(async ({ input, context }) => {
    const by = { ...context.actor, id: context.me.id };
    await context.payments.accept(input.paymentId, by, input.reason);
    return done;
  }),
  notePayment: provenAdmin.tokenRequests.notePayment.handler(async ({ input, context }) => {
    await notePayment(context.db, context.payments, editorOf(context), input);
    return done;
  }),
  unplaced: admin.tokenRequests.unplaced.handler(async ({ context }) => ({ payments: await listUnplaced(context.db) })),
  placePayment: provenAdmin.tokenRequests.placePayment.handler(({ input, context }) =>
    context.payments.place(input.id, input.orderId, { ...context.actor, id: context.me.id }, input.reason),
  ),
  settleUnplaced: provenAdmin.tokenRequests.settleUnplaced.handler(async ({ input, context }) => {
    const by = { ...context.actor, id: context.me.id };
    await settleElsewhere(context.db, input, by, context.now());
    return done;
  }),
};
