import { admin, adminAfterStepUp } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import { forEachRecord } from '#server/records/bulk.ts';
import { listProofs, withdrawProof } from './manage.service.ts';
import { checkProof, startProof } from './ownership.service.ts';

/** No viewer: admins may act for every token, on behalf of its creator. */
const VIEWER = null;

export const ownershipAdminApi = {
  list: admin.ownership.list.handler(({ input, context }) => listProofs(context.db, input)),
  start: admin.ownership.start.handler(({ input, context }) =>
    startProof(context.db, { ...editorOf(context), viewer: VIEWER }, input),
  ),
  check: admin.ownership.check.handler(({ input, context }) =>
    checkProof(context.db, context.proofs, { ...editorOf(context), viewer: VIEWER }, input.id),
  ),
  withdraw: adminAfterStepUp.ownership.withdraw.handler(({ input, context }) =>
    withdrawProof(context.db, editorOf(context), input),
  ),
  withdrawMany: adminAfterStepUp.ownership.withdrawMany.handler(({ input: { ids, reason }, context }) =>
    forEachRecord(ids, async (id) => {
      await withdrawProof(context.db, editorOf(context), { id, reason });
      return 'done';
    }),
  ),
};
