import { admin, provenAdmin } from '#server/http/procedures.ts';
import { editorOf } from '#server/records/editor.ts';
import { createToken, retryCreation } from './intent.service.ts';
import { listChains } from './signer-workers.service.ts';

/** What admins do about the creation of a request's token, under `admin.tokenRequests`. */
export const tokenCreationAdminApi = {
  createToken: provenAdmin.tokenRequests.createToken.handler(({ input, context }) =>
    createToken(context.db, context, editorOf(context), input),
  ),
  retryCreation: provenAdmin.tokenRequests.retryCreation.handler(({ input, context }) =>
    retryCreation(context.db, context, editorOf(context), input.requestId),
  ),
  chains: admin.tokenRequests.chains.handler(({ context }) => listChains(context.db, context)),
};
