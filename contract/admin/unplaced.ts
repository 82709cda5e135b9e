import { z } from 'zod';
import { errors } from '../errors.ts';
import { placeForm, settleUnplacedForm } from './forms/unplaced.ts';
import { adminRead, adminWrite, byProvenAdmin } from './shared/list.ts';

/** Money at the provider whose order is not here: made after the backup that was restored, repeated, or never here. */
const unplacedPayment = z.object({
  /** The provider's number of the deposit. */
  id: z.string(),
  version: z.int().positive(),
  /** As the provider says it. */
  orderId: z.string().nullable(),
  /** Of a repeated deposit, or one in another coin: the deposit whose address it came to. */
  parentId: z.string().nullable(),
  status: z.string(),
  /** False: a word of the provider's that we don't know. */
  known: z.boolean(),
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  /** What the order was about, where it was in US dollars. */
  priceUsd: z.number().nullable(),
  simulation: z.boolean(),
  since: z.iso.datetime(),
});
export type UnplacedPayment = z.infer<typeof unplacedPayment>;

const of = z.strictObject({ id: z.string().min(1).max(64), version: z.int().positive() });
const acting = {
  ...byProvenAdmin,
  NOT_FOUND: errors.NOT_FOUND,
  VERSION_CONFLICT: errors.VERSION_CONFLICT,
  ALREADY_DONE: errors.ALREADY_DONE,
};
const placing = { ...acting, PAYMENT_UNAVAILABLE: errors.PAYMENT_UNAVAILABLE };

/** Under `admin.unplaced`. */
export const adminUnplaced = {
  /** Oldest first, at most 200. */
  list: adminRead('/unplaced', 'Money whose order is not known', ['finance']).output(
    z.object({ payments: z.array(unplacedPayment) }),
  ),
  /** Puts such money on an order; whether it is enough is said by accepting it there. Asks for a fresh proof. */
  place: adminWrite('POST', '/unplaced/{id}/place', 'Place money on an order', ['finance'])
    .errors(placing)
    .input(of.extend(placeForm.shape))
    .output(z.object({ requestId: z.uuid() })),
  /** Puts it on an order of its payer and opens the refund of all of it there. Asks for a fresh proof. */
  refund: adminWrite('POST', '/unplaced/{id}/refund', 'Give back money without an order', ['finance'])
    .errors({ ...placing, REFUND_REFUSED: errors.REFUND_REFUSED })
    .input(of.extend(placeForm.shape))
    .output(z.object({ requestId: z.uuid(), refund: z.string() })),
  /** Takes such money off the list: it was given back elsewhere, or belongs elsewhere. Asks for a fresh proof. */
  settle: adminWrite('POST', '/unplaced/{id}/settle', 'Say where money was settled', ['finance'])
    .errors(acting)
    .input(of.extend(settleUnplacedForm.shape))
    .output(z.object({ ok: z.literal(true) })),
};
