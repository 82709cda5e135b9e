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
import { adminRead, adminWrite, byAdminAfterStepUp, listInput, pageOf, seenRecord } from './shared/list.ts';

const row = z.object({
  id: z.uuid(),
  version: z.int().positive(),
  requestId: z.uuid(),
  orderId: z.string(),
  plan,
  item: deliverableItem,
  /** The plan's line of text that covers this item and others. */
  line: z.string().nullable(),
  kind: deliverableKind,
  state: deliverableState,
  /** Null while the date depends on a token that does not exist yet. */
  dueAt: z.iso.datetime().nullable(),
  overdue: z.boolean(),
  tokenName: z.string(),
  network: z.string(),
  email: z.string(),
  /** The admin who took it; null when nobody did. */
  owner: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  evidenceKind: evidenceKind.nullable(),
  evidence: z.string().nullable(),
  note: z.string().nullable(),
  /** The newest sold place on home that was started for this item. */
  place: soldPlace.nullable(),
  /** Projects of the order's token that can get the place; empty for items that are not places. */
  homes: z.array(z.object({ id: z.uuid(), name: z.string(), onHome: z.boolean(), inTop3: z.boolean() })),
  doneAt: z.iso.datetime().nullable(),
  doneBy: z.string().nullable(),
  withdrawnAt: z.iso.datetime().nullable(),
  withdrawnReason: z.string().nullable(),
  /** Number of the refund that was opened with the withdrawal. */
  refund: z.string().nullable(),
  /** Coins received for the order, in which a refund is possible. */
  assets: z.array(z.string()),
  simulation: z.boolean(),
  createdAt: z.iso.datetime(),
});
export type AdminDeliverable = z.infer<typeof row>;

const itemTerms = z.object({
  item: deliverableItem,
  kind: deliverableKind,
  /** 0 while the built-in terms are in force. */
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

const newOwner = z.enum(['me', 'nobody', 'before']);

const acting = {
  NOT_FOUND: errors.NOT_FOUND,
  VERSION_CONFLICT: errors.VERSION_CONFLICT,
  DELIVERABLE_CLOSED: errors.DELIVERABLE_CLOSED,
};

/** Deliverables: the sold items that the team still owes or has delivered. */
export const adminDeliverables = {
  list: adminRead('/deliverables', 'What was sold and is to be delivered', ['finance'])
    .input(
      listInput(['dueAt', 'createdAt', 'plan'], {
        state: z.enum([...deliverableState.options, 'all']).default('open'),
        /** Only overdue deliverables. */
        overdue: z.enum(['yes']).optional(),
        mine: z.enum(['yes']).optional(),
        item: deliverableItem.optional(),
        request: z.uuid().optional(),
      }),
    )
    .output(pageOf(row)),
  /** Assigns it to the caller, or unassigns it; `before` undoes the caller's last such change. */
  assign: adminWrite('POST', '/deliverables/{id}/assign', 'Take a deliverable, or let go of it', ['finance'])
    .errors(acting)
    .input(seenRecord.extend({ owner: newOwner }))
    .output(row),
  /** Several in one request, each in its own transaction. */
  assignMany: adminWrite('POST', '/deliverables/assign', 'Take several deliverables, or let go of them', ['finance'])
    .input(z.strictObject({ records: bulkSeen, owner: newOwner }))
    .output(bulkAnswer),
  /** Marks it as delivered, with evidence. */
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
  /** Its days begin now by the database's clock; the site marks the project until they end. */
  startPlace: adminWrite('POST', '/deliverables/{id}/place', 'Give a project the place on home that was sold', [
    'finance',
  ])
    .errors({ ...acting, PLACE_REFUSED: errors.PLACE_REFUSED })
    .input(seenRecord.extend(placeForm.shape))
    .output(row),
  /** Ends it undelivered; the payer sees the reason and the refunded amount. Requires step-up. */
  withdraw: adminWrite('POST', '/deliverables/{id}/withdraw', 'Withdraw something that was sold', ['finance'])
    .errors({ ...byAdminAfterStepUp, ...acting, REFUND_REFUSED: errors.REFUND_REFUSED })
    .input(withdrawForm.safeExtend(seenRecord.shape))
    .output(row),
  terms: adminRead('/deliverables/terms', 'What the team says about each item of the plans', ['finance']).output(
    z.array(itemTerms),
  ),
  /** Applies to orders paid from now on; an item that is not offered takes its plans off sale. */
  saveTerms: adminWrite('PUT', '/deliverables/terms/{item}', 'Say what an item of the plans means', ['finance'])
    .errors({ VERSION_CONFLICT: errors.VERSION_CONFLICT })
    .input(termsForm.extend({ item: deliverableItem, version: z.int().nonnegative() }))
    .output(itemTerms),
  termsHistory: adminRead('/deliverables/terms/{item}', 'All versions of the terms of an item, newest first', [
    'finance',
  ])
    .input(z.strictObject({ item: deliverableItem }))
    .output(z.array(itemTerms)),
};
