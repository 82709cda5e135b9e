import { z } from 'zod';
import { errors } from '../errors.ts';
import { explainForm } from './forms/settlement.ts';
import { adminRead, adminWrite, byAdminAfterStepUp, listInput, pageOf, seenRecord } from './shared/list.ts';

/** A comparison of the money ledger with the provider. */
const settlementRun = z.object({
  id: z.uuid(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  /** `whole`: all deposits of the provider were read. `cut`: some were not, or could not be read. `not_allowed`: the account may not list them. */
  state: z.enum(['running', 'whole', 'cut', 'failed', 'not_allowed', 'no_provider']),
  deposits: z.int(),
  /** Deposits that the run itself assigned to an order, or recorded as unplaced money. */
  found: z.int(),
  differences: z.int(),
  /** The admin who requested it; null for the daily job. */
  requestedBy: z.string().nullable(),
});
export type SettlementRun = z.infer<typeof settlementRun>;

export const differenceKind = z.enum([
  /** The provider has a deposit that is missing in the money ledger. */
  'missing_here',
  /** The money ledger has a deposit that is missing at the provider. */
  'missing_there',
  'amount',
  'returned',
  'outcome',
  /** An order was refunded more than was received for it. */
  'over_returned',
  /** A total differs from the sum of its entries. */
  'totals',
]);

const difference = z.object({
  id: z.uuid(),
  version: z.int().positive(),
  kind: differenceKind,
  /** The provider's number of a deposit, the number of an order, or the month of a total. */
  subject: z.string(),
  orderId: z.string().nullable(),
  asset: z.string(),
  /** Decimals; empty when there is no amount. */
  ours: z.string(),
  theirs: z.string(),
  foundAt: z.iso.datetime(),
  seenAt: z.iso.datetime(),
  /** Time of the first later full comparison that no longer found the difference. */
  goneAt: z.iso.datetime().nullable(),
  explainedAt: z.iso.datetime().nullable(),
  explainedBy: z.string().nullable(),
  reason: z.string().nullable(),
});
export type SettlementDifference = z.infer<typeof difference>;

/** Mounted as `admin.settlement`. */
export const adminSettlement = {
  /** The last 30, newest first. */
  runs: adminRead('/settlement/runs', 'Comparisons with the payment provider', ['finance']).output(
    z.object({ runs: z.array(settlementRun) }),
  ),
  list: adminRead('/settlement', 'Differences between the money ledger and the provider', ['finance'])
    .input(listInput(['foundAt'], { state: z.enum(['open', 'explained', 'gone']).optional() }))
    .output(pageOf(difference)),
  /** Starts a comparison in the background. */
  run: adminWrite('POST', '/settlement/run', 'Compare with the provider now', ['finance']).output(
    z.object({ ok: z.literal(true) }),
  ),
  /** Explains a difference, which then no longer waits until it changes. Requires step-up. */
  explain: adminWrite('POST', '/settlement/{id}/explain', 'Explain a difference', ['finance'])
    .errors({
      ...byAdminAfterStepUp,
      NOT_FOUND: errors.NOT_FOUND,
      VERSION_CONFLICT: errors.VERSION_CONFLICT,
      ALREADY_DONE: errors.ALREADY_DONE,
    })
    .input(seenRecord.extend(explainForm.shape))
    .output(z.object({ ok: z.literal(true) })),
};
