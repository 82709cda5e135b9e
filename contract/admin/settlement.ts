import { z } from 'zod';
import { errors } from '../errors.ts';
import { explainForm } from './forms/settlement.ts';
import { adminRead, adminWrite, byProvenAdmin, listInput, pageOf, seenRecord } from './shared/list.ts';

/** A comparison of the money ledger with the provider. */
const settlementRun = z.object({
  id: z.uuid(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  /** `whole`: everything that the provider knows was read. `not_allowed`: the account may not list. */
  state: z.enum(['running', 'whole', 'cut', 'failed', 'not_allowed', 'no_provider']),
  deposits: z.int(),
  /** Deposits that were brought to an order, or put with the money without one, by the run itself. */
  found: z.int(),
  differences: z.int(),
  /** Who asked for it; null: the job of the day. */
  askedBy: z.string().nullable(),
});
export type SettlementRun = z.infer<typeof settlementRun>;

export const differenceKind = z.enum([
  /** The provider has money of which the ledger has nothing. */
  'missing_here',
  /** The ledger has a deposit that the provider does not know. */
  'missing_there',
  'amount',
  'returned',
  'outcome',
  /** More went back of an order than came. */
  'over_returned',
  /** A total is not the sum of its entries. */
  'totals',
]);

const difference = z.object({
  id: z.uuid(),
  version: z.int().positive(),
  kind: differenceKind,
  /** The provider's number of a deposit, an order's number, or the month of a total. */
  subject: z.string(),
  orderId: z.string().nullable(),
  asset: z.string(),
  /** Decimals; empty for nothing. */
  ours: z.string(),
  theirs: z.string(),
  foundAt: z.iso.datetime(),
  seenAt: z.iso.datetime(),
  /** A later comparison of everything did not find it any more. */
  goneAt: z.iso.datetime().nullable(),
  explainedAt: z.iso.datetime().nullable(),
  explainedBy: z.string().nullable(),
  reason: z.string().nullable(),
});
export type SettlementDifference = z.infer<typeof difference>;

/** Under `admin.settlement`. */
export const adminSettlement = {
  /** The last 30, newest first. */
  runs: adminRead('/settlement/runs', 'Comparisons with the payment provider', ['finance']).output(
    z.object({ runs: z.array(settlementRun) }),
  ),
  list: adminRead('/settlement', 'Differences between the money ledger and the provider', ['finance'])
    .input(listInput(['foundAt'], { state: z.enum(['open', 'explained', 'gone']).optional() }))
    .output(pageOf(difference)),
  /** Compares now, in the background. */
  run: adminWrite('POST', '/settlement/run', 'Compare with the provider now', ['finance']).output(
    z.object({ ok: z.literal(true) }),
  ),
  /** Says where a difference comes from; it then no longer waits, until it changes. Asks for a fresh proof. */
  explain: adminWrite('POST', '/settlement/{id}/explain', 'Explain a difference', ['finance'])
    .errors({
      ...byProvenAdmin,
      NOT_FOUND: errors.NOT_FOUND,
      VERSION_CONFLICT: errors.VERSION_CONFLICT,
      ALREADY_DONE: errors.ALREADY_DONE,
    })
    .input(seenRecord.extend(explainForm.shape))
    .output(z.object({ ok: z.literal(true) })),
};
