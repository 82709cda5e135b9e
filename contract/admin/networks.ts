import { z } from 'zod';
import { MANUAL_DAYS_MAX, NETWORK_NAME_MAX, NETWORK_SYMBOL_MAX } from '../limits.ts';
import { network } from '../networks.ts';
import {
  adminRead,
  adminWrite,
  anyRecord,
  byProvenAdmin,
  listInput,
  pageOf,
  recordColumns,
  saving,
  seenRecord,
  shelf,
} from './list.ts';

export const adminNetwork = network.extend(recordColumns);
export type AdminNetwork = z.infer<typeof adminNetwork>;

const fields = {
  name: z.string().trim().min(1).max(NETWORK_NAME_MAX),
  symbol: z.string().trim().min(1).max(NETWORK_SYMBOL_MAX),
  isActive: z.boolean(),
  /** Days after the payment within which the team delivers by hand; null: it does not. */
  manualDays: z.int().min(1).max(MANUAL_DAYS_MAX).nullable(),
};

export const adminNetworks = {
  list: adminRead('/networks', 'Networks, also inactive ones, or those in the trash')
    .input(listInput(['createdAt', 'name', 'symbol', 'updatedAt'], { shelf }))
    .output(pageOf(adminNetwork)),
  create: adminWrite('POST', '/networks', 'Add a network')
    .errors(saving)
    .input(
      z.strictObject({
        ...fields,
        isActive: fields.isActive.default(true),
        manualDays: fields.manualDays.default(null),
      }),
    )
    .output(adminNetwork),
  /** Days that are left out stay as they are. */
  update: adminWrite('PUT', '/networks/{id}', 'Change a network')
    .errors(saving)
    .input(seenRecord.extend({ ...fields, manualDays: fields.manualDays.optional() }))
    .output(adminNetwork),
  /** Into the trash; requests keep the network they name. Asks for a fresh proof. */
  remove: adminWrite('DELETE', '/networks/{id}', 'Delete a network')
    .errors({ ...byProvenAdmin, ...saving })
    .input(seenRecord)
    .output(adminNetwork),
  restore: adminWrite('POST', '/networks/{id}/restore', 'Take a network out of the trash')
    .errors(saving)
    .input(anyRecord)
    .output(adminNetwork),
};
