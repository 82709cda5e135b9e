import { addAcceptance } from '#server/domains/payments/proof/acceptances.service.ts';
import { admin, adminAfterStepUp } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import { addPaymentNote, checkPayment, requestOfPayment } from './manage.service.ts';
import { listUnplaced, settleElsewhere } from './unplaced.service.ts';

const done = { ok: true as const };

/** Admin procedures for payments, under `admin.tokenRequests`. */
export const paymentsAdminApi = {
  ofPayment: admin.tokenRequests.ofPayment.handler(({ input, context }) =>
    requestOfPayment(context.db, input.paymentId),
  ),
  checkPayment: admin.tokenRequests.checkPayment.handler(({ input, context }) =>
    checkPayment(context.db, context.payments, context.actor, input.paymentId),
  ),
  acceptPayment: adminAfterStepUp.tokenRequests.acceptPayment.handler(async ({ input, context }) => {
    const by = { ...context.actor, id: context.me.id };
    await context.payments.accept(input.paymentId, by, input.reason);
    return done;
  }),
  addAcceptance: adminAfterStepUp.tokenRequests.addAcceptance.handler(async ({ input, context }) => {
    await addAcceptance(context.db, editorOf(context), input);
    return done;
  }),
  notePayment: adminAfterStepUp.tokenRequests.notePayment.handler(async ({ input, context }) => {
    await addPaymentNote(context.db, context.payments, editorOf(context), input);
    return done;
  }),
};

/** Admin procedures for deposits at the provider that belong to no order here. */
export const unplacedAdminApi = {
  list: admin.unplaced.list.handler(async ({ context }) => ({ payments: await listUnplaced(context.db) })),
  place: adminAfterStepUp.unplaced.place.handler(({ input, context }) =>
    context.payments.place(input, { ...context.actor, id: context.me.id }),
  ),
  settle: adminAfterStepUp.unplaced.settle.handler(async ({ input, context }) => {
    const by = { ...context.actor, id: context.me.id };
    await settleElsewhere(context.db, input, by, context.now());
    return done;
  }),
};
