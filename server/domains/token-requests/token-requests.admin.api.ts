import { createToken, retryCreation } from '#server/domains/token-requests/creation/intent.service.ts';
import { listChains } from '#server/domains/token-requests/creation/lanes.service.ts';
import { listUnplaced, settleElsewhere } from '#server/domains/token-requests/payments/unplaced.service.ts';
import { admin, provenAdmin } from '#server/http/procedures.ts';
import { editorOf } from '#server/records/editor.ts';
import { closeRequest, reopenRequest } from './closing.service.ts';
import { askProvider, listTokenRequests, notePayment, readTokenRequest, requestOfPayment } from './manage.service.ts';
import { listShowcase, showcaseToken } from './showcase.service.ts';

const done = { ok: true as const };

export const tokenRequestsAdminApi = {
  list: admin.tokenRequests.list.handler(({ input, context }) => listTokenRequests(context.db, input)),
  read: admin.tokenRequests.read.handler(({ input, context }) => readTokenRequest(context.db, context, input.id)),
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
  close: admin.tokenRequests.close.handler(async ({ input, context }) => {
    await closeRequest(context.db, context, editorOf(context), input);
    return done;
  }),
  reopen: admin.tokenRequests.reopen.handler(async ({ input, context }) => {
    await reopenRequest(context.db, editorOf(context), input.id);
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
  createToken: provenAdmin.tokenRequests.createToken.handler(({ input, context }) =>
    createToken(context.db, context, editorOf(context), input),
  ),
  retryCreation: provenAdmin.tokenRequests.retryCreation.handler(({ input, context }) =>
    retryCreation(context.db, context, editorOf(context), input.requestId),
  ),
  chains: admin.tokenRequests.chains.handler(({ context }) => listChains(context.db, context)),
};

export const showcaseAdminApi = {
  list: admin.showcase.list.handler(({ input, context }) => listShowcase(context.db, input.requestId)),
  add: admin.showcase.add.handler(({ input, context }) =>
    showcaseToken(context.db, context.media, editorOf(context), input),
  ),
};
