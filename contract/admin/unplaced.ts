import { z } from 'zod';
import { errors } from '../errors.ts';
import { placeForm, settleUnplacedForm } from './forms/unplaced.ts';
import { adminRead, adminWrite, byAdminAfterStepUp } from './shared/list.ts';

/** A deposit at the provider without an order in this database: created after the restored backup, repeated, or never recorded here. */
const unplacedPayment = z.object({
  /** The provider's id of the deposit. */
  id: z.string(),
  version: z.int().positive(),
  /** Order number as reported by the provider. */
  orderId: z.string().nullable(),
  /** For a repeated deposit, or one in another coin: the deposit whose address received it. */
  parentId: z.string().nullable(),
  status: z.string(),
  /** False when the provider's status is not one that we recognise. */
  known: z.boolean(),
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  /** Price of the order, when it was in US dollars. */
  priceUsd: z.number().nullable(),
  simulation: z.boolean(),
  since: z.iso.datetime(),
});
export type UnplacedPayment = z.infer<typeof unplacedPayment>;

const of = z.strictObject({ id: z.string().min(1).max(64), version: z.int().positive() });
const acting = {
  ...byAdminAfterStepUp,
  NOT_FOUND: errors.NOT_FOUND,
  VERSION_CONFLICT: errors.VERSION_CONFLICT,
  ALREADY_DONE: errors.ALREADY_DONE,
};
const placing = { ...acting, PAYMENT_UNAVAILABLE: errors.PAYMENT_UNAVAILABLE };

/** Mounted as `admin.unplaced`. */
export const adminUnplaced = {
  /** Oldest first, at most 200. */
  list: adminRead('/unplaced', 'Money whose order is not known', ['finance']).output(
    z.object({ payments: z.array(unplacedPayment) }),
  ),
  /** Assigns the deposit to an order; whether it is sufficient is decided by accepting it there. Requires step-up. */
  place: adminWrite('POST', '/unplaced/{id}/place', 'Place money on an order', ['finance'])
    .errors(placing)
    .input(of.extend(placeForm.shape))
    .output(z.object({ requestId: z.uuid() })),
  /** Assigns it to an order of its payer and opens the refund of the whole amount there. Requires step-up. */
  refund: adminWrite('POST', '/unplaced/{id}/refund', 'Give back money without an order', ['finance'])
    .errors({ ...placing, REFUND_REFUSED: errors.REFUND_REFUSED })
    .input(of.extend(placeForm.shape))
    .output(z.object({ requestId: z.uuid(), refund: z.string() })),
  /** Removes it from the list: it was refunded or settled elsewhere. Requires step-up. */
  settle: adminWrite('POST', '/unplaced/{id}/settle', 'Say where money was settled', ['finance'])
    .errors(acting)
    .input(of.extend(settleUnplacedForm.shape))
    .output(z.object({ ok: z.literal(true) })),
};
