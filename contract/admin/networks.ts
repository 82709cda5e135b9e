import { z } from 'zod';
import { network } from '../domains/networks.ts';
import { networkForm } from './forms/networks.ts';
import { bulkAnswer, bulkIds, bulkSeen, trashedRecord, undoing } from './shared/bulk.ts';
import {
  adminRead,
  adminWrite,
  byAdminAfterStepUp,
  listInput,
  pageOf,
  recordColumns,
  saving,
  seenRecord,
  shelf,
} from './shared/list.ts';

export const adminNetwork = network.extend(recordColumns);
export type AdminNetwork = z.infer<typeof adminNetwork>;

const { shape: fields } = networkForm;

export const adminNetworks = {
  list: adminRead('/networks', 'Networks, also inactive ones, or those in the trash', ['editor', 'support', 'finance'])
    .input(listInput(['createdAt', 'name', 'symbol', 'updatedAt'], { shelf }))
    .output(pageOf(adminNetwork)),
  create: adminWrite('POST', '/networks', 'Add a network')
    .errors(saving)
    .input(
      networkForm.extend({
        isActive: fields.isActive.default(true),
        manualDays: fields.manualDays.default(null),
      }),
    )
    .output(adminNetwork),
  /** Omitted days stay unchanged. */
  update: adminWrite('PUT', '/networks/{id}', 'Change a network')
    .errors(saving)
    .input(seenRecord.extend({ ...fields, manualDays: fields.manualDays.optional() }))
    .output(adminNetwork),
  /** Several in one request, each in its own transaction. */
  switchMany: adminWrite('POST', '/networks/switch', 'Offer several networks, or offer them no more')
    .input(z.strictObject({ records: bulkSeen, isActive: z.boolean() }))
    .output(bulkAnswer),
  /** Moves it to the trash; requests retain the network they name. Requires step-up. */
  remove: adminWrite('DELETE', '/networks/{id}', 'Delete a network')
    .errors({ ...byAdminAfterStepUp, ...saving })
    .input(seenRecord)
    .output(adminNetwork),
  /** Several in one request, each in its own transaction. Requires step-up, once for all of them. */
  removeMany: adminWrite('POST', '/networks/remove', 'Delete several networks')
    .errors(byAdminAfterStepUp)
    .input(z.strictObject({ records: bulkSeen }))
    .output(bulkAnswer),
  restoreMany: adminWrite('POST', '/networks/restore', 'Take several networks out of the trash')
    .input(z.strictObject({ ids: bulkIds, undo: undoing }))
    .output(bulkAnswer),
  restore: adminWrite('POST', '/networks/{id}/restore', 'Take a network out of the trash')
    .errors(saving)
    .input(trashedRecord)
    .output(adminNetwork),
};
