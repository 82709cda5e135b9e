import { admin, adminAfterStepUp } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import { approveToken } from './approvals.service.ts';
import { createToken, retryCreation } from './intent.service.ts';
import { proposeToken } from './proposals.service.ts';
import { listChains } from './signer-workers.service.ts';
import { retrySource } from './sources.service.ts';

/** Admin procedures for the creation of a request's token, under `admin.tokenRequests`. */
export const tokenCreationAdminApi = {
  createToken: adminAfterStepUp.tokenRequests.createToken.handler(({ input, context }) =>
    createToken(context.db, context, editorOf(context), input),
  ),
  proposeToken: adminAfterStepUp.tokenRequests.proposeToken.handler(async ({ input, context }) => {
    const { simulation } = context.payments.mode;
    await proposeToken(context.db, { ...context, simulation }, editorOf(context), input);
    return { ok: true as const };
  }),
  approveToken: adminAfterStepUp.tokenRequests.approveToken.handler(async ({ input, context }) => {
    const { simulation } = context.payments.mode;
    await approveToken(context.db, { simulation }, editorOf(context), input);
    return { ok: true as const };
  }),
  retryCreation: adminAfterStepUp.tokenRequests.retryCreation.handler(({ input, context }) =>
    retryCreation(context.db, context, editorOf(context), input.requestId),
  ),
  retrySource: admin.tokenRequests.retrySource.handler(async ({ input, context }) => {
    await retrySource(context.db, editorOf(context), input.requestId);
    return { ok: true as const };
  }),
  chains: admin.tokenRequests.chains.handler(({ context }) => listChains(context.db, context)),
};
