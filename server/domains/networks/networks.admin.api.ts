import { admin, adminAfterStepUp } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import {
  createNetwork,
  listAllNetworks,
  removeNetwork,
  removeNetworks,
  restoreNetwork,
  restoreNetworks,
  switchNetworks,
  updateNetwork,
} from './manage.service.ts';

export const networksAdminApi = {
  list: admin.networks.list.handler(({ input, context }) => listAllNetworks(context.db, input)),
  create: admin.networks.create.handler(({ input, context }) => createNetwork(context.db, editorOf(context), input)),
  update: admin.networks.update.handler(({ input, context }) => updateNetwork(context.db, editorOf(context), input)),
  switchMany: admin.networks.switchMany.handler(({ input, context }) =>
    switchNetworks(context.db, editorOf(context), input.records, input.isActive),
  ),
  remove: adminAfterStepUp.networks.remove.handler(({ input, context }) =>
    removeNetwork(context.db, editorOf(context), input),
  ),
  removeMany: adminAfterStepUp.networks.removeMany.handler(({ input, context }) =>
    removeNetworks(context.db, editorOf(context), input.records),
  ),
  restoreMany: admin.networks.restoreMany.handler(({ input, context }) =>
    restoreNetworks(context.db, editorOf(context), input.ids, { undo: input.undo }),
  ),
  restore: admin.networks.restore.handler(({ input, context }) => restoreNetwork(context.db, editorOf(context), input)),
};
