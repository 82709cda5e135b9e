import { z } from 'zod';
import {
  deliverableItem,
  deliverableKind,
  deliverableState,
  evidenceKind,
  soldPlace,
} from '../domains/deliverables.ts';
import { plan } from '../domains/payments.ts';
import { errors } from '../errors.ts';
import { deliverForm, dueFrom, placeForm, termsForm, withdrawForm } from './forms/deliverables.ts';
import { bulkAnswer, bulkSeen } from './shared/bulk.ts';
import { adminRead, adminWrite, byProvenAdmin, listInput, pageOf, seenRecord } from './shared/list.ts';

const row = z.object({
  id: z.uuid(),
  version: z.int().positive(),
  requestId: z.uuid(),
  orderId: z.string(),
  plan,
  item: deliverableItem,
  /** The line of the plan that stands for it and others. */
  line: z.string().nullable(),
  kind: deliverableKind,
  state: deliverableState,
  /** Null while it counts from a token that is not there yet. */
  dueAt: z.iso.datetime().nullable(),
  overdue: z.boolean(),
  tokenName: z.string(),
  network: z.string(),
  email: z.string(),
  /** Who does it; null: nobody took it. */
  owner: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  evidenceKind: evidenceKind.nullable(),
  evidence: z.string().nullable(),
  note: z.string().nullable(),
  /** The newest place on home that was given for it. */
  place: soldPlace.nullable(),
  /** Projects of the order's token that a place can be given to; empty for what has no place. */
  homes: z.array(z.object({ id: z.uuid(), name: z.string(), onHome: z.boolean(), inTop3: z.boolean() })),
  doneAt: z.iso.datetime().nullable(),
  doneBy: z.string().nullable(),
  withdrawnAt: z.iso.datetime().nullable(),
  withdrawnReason: z.string().nullable(),
  /** Number of the refund that was opened with it. */
  refund: z.string().nullable(),
  /** Coins that arrived for the order, of which money can go back. */
  assets: z.array(z.string()),
  simulation: z.boolean(),
  createdAt: z.iso.datetime(),
});
export type AdminDeliverable = z.infer<typeof row>;

const itemTerms = z.object({
  item: deliverableItem,
  kind: deliverableKind,
  /** 0 while the built-in terms stand. */
  version: z.int().nonnegative(),
  dueFrom,
  dueDays: z.int(),
  ifNotEs: z.string(),
  ifNotEn: z.string(),
  offered: z.boolean(),
  savedAt: z.iso.datetime().nullable(),
  savedBy: z.string().nullable(),
});
export type AdminDeliverableTerms = z.infer<typeof itemTerms>;

const acting = {
  NOT_FOUND: errors.NOT_FOUND,
  VERSION_CONFLICT: errors.VERSION_CONFLICT,
  DELIVERABLE_CLOSED: errors.DELIVERABLE_CLOSED,
};

/** What was sold and is to be delivered. */
export const adminDeliverables = {
  list: adminRead('/deliverables', 'What was sold and is to be delivered', ['finance'])
    .input(
      listInput(['dueAt', 'createdAt', 'plan'], {
        state: z.enum([...deliverableState.options, 'all']).default('open'),
        /** Past their date only. */
        overdue: z.enum(['yes']).optional(),
        mine: z.enum(['yes']).optional(),
        item: deliverableItem.optional(),
        request: z.uuid().optional(),
      }),
    )
    .output(pageOf(row)),
  /** Takes it, or gives it back to everybody. */
  assign: adminWrite('POST', '/deliverables/{id}/assign', 'Take a deliverable, or let go of it', ['finance'])
    .errors(acting)
    .input(seenRecord.extend({ owner: z.enum(['me', 'nobody']) }))
    .output(row),
  /** Several at once, each by itself. */
  assignMany: adminWrite('POST', '/deliverables/assign', 'Take several deliverables, or let go of them', ['finance'])
    .input(z.strictObject({ records: bulkSeen, owner: z.enum(['me', 'nobody']) }))
    .output(bulkAnswer),
  /** Done, with what shows it. */
  deliver: adminWrite('POST', '/deliverables/{id}/deliver', 'Say that something was delivered, with evidence', [
    'finance',
  ])
    .errors({
      ...acting,
      PLACE_REFUSED: errors.PLACE_REFUSED,
      EVIDENCE_REFUSED: errors.EVIDENCE_REFUSED,
      EVIDENCE_USED: errors.EVIDENCE_USED,
    })
    .input(seenRecord.extend(deliverForm.shape))
    .output(row),
  /** Its days begin now, by the database's clock; the site marks the project while they run. */
  startPlace: adminWrite('POST', '/deliverables/{id}/place', 'Give a project the place on home that was sold', [
    'finance',
  ])
    .errors({ ...acting, PLACE_REFUSED: errors.PLACE_REFUSED })
    .input(seenRecord.extend(placeForm.shape))
    .output(row),
  /** It will not be delivered; its payer reads why, and what goes back. Asks for a fresh proof. */
  withdraw: adminWrite('POST', '/deliverables/{id}/withdraw', 'Withdraw something that was sold', ['finance'])
    .errors({ ...byProvenAdmin, ...acting, REFUND_REFUSED: errors.REFUND_REFUSED })
    .input(withdrawForm.safeExtend(seenRecord.shape))
    .output(row),
  terms: adminRead('/deliverables/terms', 'What the team says about each item of the plans', ['finance']).output(
    z.array(itemTerms),
  ),
  /** Holds for orders that are paid from now on; an item that is not offered takes its plans off sale. */
  saveTerms: adminWrite('PUT', '/deliverables/terms/{item}', 'Say what an item of the plans means', ['finance'])
    .errors({ VERSION_CONFLICT: errors.VERSION_CONFLICT, NOT_VALID: errors.NOT_VALID })
    .input(termsForm.extend({ item: deliverableItem, version: z.int().nonnegative() }))
    .output(itemTerms),
  termsHistory: adminRead('/deliverables/terms/{item}', 'All versions of the terms of an item, newest first', [
    'finance',
  ])
    .input(z.strictObject({ item: deliverableItem }))
    .output(z.array(itemTerms)),
};
