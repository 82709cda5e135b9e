import { admin, adminAfterStepUp } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import { assignDeliverable, assignDeliverables } from './assign.service.ts';
import { deliver, listDeliverables, withdrawDeliverable } from './manage.service.ts';
import { startPlace } from './places.service.ts';
import { listTerms, saveTerms, termsHistory } from './terms.service.ts';

export const deliverablesAdminApi = {
  list: admin.deliverables.list.handler(({ input, context }) =>
    listDeliverables(context.db, input, { me: context.me.id, now: context.now() }),
  ),
  assign: admin.deliverables.assign.handler(({ input, context }) =>
    assignDeliverable(context.db, editorOf(context), context.me, input),
  ),
  assignMany: admin.deliverables.assignMany.handler(({ input, context }) =>
    assignDeliverables(context.db, editorOf(context), context.me, input),
  ),
  deliver: admin.deliverables.deliver.handler(({ input, context }) =>
    deliver(context.db, context, editorOf(context), input),
  ),
  startPlace: admin.deliverables.startPlace.handler(({ input, context }) =>
    startPlace(context.db, editorOf(context), input),
  ),
  withdraw: adminAfterStepUp.deliverables.withdraw.handler(({ input, context }) =>
    withdrawDeliverable(context.db, context, editorOf(context), input),
  ),
  terms: admin.deliverables.terms.handler(({ context }) => listTerms(context.db)),
  saveTerms: admin.deliverables.saveTerms.handler(({ input: { item, version, ...form }, context }) =>
    saveTerms(context.db, editorOf(context), { item, version }, form),
  ),
  termsHistory: admin.deliverables.termsHistory.handler(({ input, context }) => termsHistory(context.db, input.item)),
};
