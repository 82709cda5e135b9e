import { and, asc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import { DELIVERABLES, type DeliverableItem, itemsOfPlan } from '#contract/domains/deliverables.ts';
import type { Plan } from '#contract/domains/payments.ts';
import type { OrderItem } from '#contract/domains/token-requests.ts';
import type { Reader, Tx } from '#server/db/client.ts';
import { deliverables } from '#server/db/tables/deliverables.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { findPayments, isPaid, type PaymentRow } from '#server/domains/payments/facts/record.service.ts';
import type { PaidOrder } from '#server/domains/payments/order-callbacks.port.ts';
import { sentBack } from '#server/domains/payments/orders/request-stage.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { publishChange } from '#server/live/publish.ts';
import { newestPlaces, PLACE_ITEM } from './place-reads.service.ts';
import { readTerms, termsOfItem } from './terms.service.ts';

export type DeliverableRow = typeof deliverables.$inferSelect;

const DAY = 86_400_000;
export const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };

export const later = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY);

/**
 * Creates the deliverables of a payment when nothing more is owed, and ends them when all of its money was returned, in the
 * transaction that changes the payment; where another payment of the request pays for it, they continue as that one's. Idempotent.
 */
export async function createOrEndDeliverables(tx: Tx, order: PaidOrder): Promise<void> {
  if (!order.returned) {
    if (order.paid) await createDeliverables(tx, order);
    return;
  }
  const other = await otherPaid(tx, order);
  if (other) await continueWith(tx, order, other);
  else await endReturned(tx, order);
}

/** Another payment of the request that is paid and whose money is held; null without one. The request has to be locked. */
async function otherPaid(tx: Tx, { requestId, paymentId }: PaidOrder): Promise<PaymentRow | null> {
  const others = await findPayments(tx, sql`submission_id = ${requestId} and id <> ${paymentId}`);
  const paid = others.filter(isPaid);
  const back = await sentBack(
    tx,
    paid.map(({ id }) => id),
  );
  return paid.find(({ id }) => !back.has(id)) ?? null;
}

/**
 * Moves deliverables of a payment whose money went back to the payment that pays for the request now, with their dates: those that are
 * delivered or withdrawn, and those that its plan has too. The others end. What its plan has in addition begins now or, when the request is
 * closed as cancelled, when it is reopened.
 */
async function continueWith(tx: Tx, order: PaidOrder, { id, plan, manualDays }: PaymentRow): Promise<void> {
  const sold = itemsOfPlan(plan).map(({ item }) => item);
  // Those that ended with the closing of the request are reopened with it, and move only if the new plan has them too.
  const isOver = and(ne(deliverables.state, 'open'), sql`${deliverables.withdrawnCause} is distinct from 'closed'`);
  const kept = or(isOver, inArray(deliverables.item, sold));
  const moved = await tx
    .update(deliverables)
    .set({ paymentId: id, updatedAt: order.at, version: sql`${deliverables.version} + 1` })
    .where(and(eq(deliverables.paymentId, order.paymentId), kept))
    .returning({ id: deliverables.id });
  await endReturned(tx, order);
  if (moved.length > 0) {
    await publishChange(tx, 'deliverables');
    await audit(tx, SYSTEM, {
      action: 'deliverable.begun',
      resourceType: 'token_request',
      resourceId: order.requestId,
      after: { plan, items: moved.length },
    });
  }
  await createDeliverables(tx, { ...order, paymentId: id, plan, manualDays, paid: true, returned: false });
}

/**
 * Creates the sold items as deliverables, with the current terms. Another payment of the same request adds nothing, unless the deliverables of the
 * first one ended with the return of its money. A request that the team cancelled gets none until it is reopened; of one that it delivered by
 * hand, the items of the token are delivered.
 */
async function createDeliverables(tx: Tx, { requestId, paymentId, plan, manualDays, at }: PaidOrder): Promise<void> {
  const closure = await closureOf(tx, requestId);
  if (closure?.as === 'cancelled') return;
  const there = await tx
    .select({ paymentId: deliverables.paymentId, cause: deliverables.withdrawnCause, item: deliverables.item })
    .from(deliverables)
    .where(eq(deliverables.submissionId, requestId));
  if (there.some((one) => one.paymentId !== paymentId && one.cause !== 'refunded')) return;
  const terms = await readTerms(tx);
  const fresh = itemsOfPlan(plan).map(({ item, line }, position) => {
    const { kind, dueFrom, dueDays, ifNot, version } = termsOfItem(terms, item);
    // Where the team creates the token by hand, the payment contains the promised number of days.
    const days = kind === 'token' && manualDays !== null ? manualDays : dueDays;
    return {
      submissionId: requestId,
      paymentId,
      position,
      item,
      line,
      termsVersion: version,
      dueFrom,
      dueDays: days,
      ifNotEs: ifNot.es,
      ifNotEn: ifNot.en,
      dueAt: dueFrom === 'payment' ? later(at, days) : null,
      createdAt: at,
      updatedAt: at,
    };
  });
  const made = await tx.insert(deliverables).values(fresh).onConflictDoNothing().returning({ id: deliverables.id });
  // Money that was returned and paid again: deliverables that ended with the return are reopened, with the dates of this payment.
  const reopened = there.filter(({ cause }) => cause === 'refunded').map(({ item }) => item);
  for (const one of fresh.filter(({ item }) => reopened.includes(item)))
    await tx
      .update(deliverables)
      .set({
        ...one,
        state: 'open',
        withdrawnAt: null,
        withdrawnCause: null,
        withdrawnReason: null,
        lateNoticeAt: null,
        version: sql`${deliverables.version} + 1`,
      })
      .where(and(eq(deliverables.submissionId, requestId), eq(deliverables.item, one.item)));
  if (made.length + reopened.length === 0) return;
  if (closure) {
    const { evidence } = closure;
    await deliverTokenItems(tx, requestId, {
      evidenceKind: 'statement',
      evidence,
      doneAt: closure.at,
      by: null,
      now: at,
    });
    // Money may arrive long after the token: nothing is due before it was paid.
    await setTokenDates(tx, requestId, closure.at > at ? closure.at : at);
  }
  await publishChange(tx, 'deliverables');
  await audit(tx, SYSTEM, {
    action: 'deliverable.begun',
    resourceType: 'token_request',
    resourceId: requestId,
    after: { plan, items: made.length + reopened.length },
  });
}

/** How the team closed a request; null while it is open. */
async function closureOf(
  tx: Tx,
  requestId: string,
): Promise<{ as: 'delivered' | 'cancelled'; at: Date; evidence: string } | null> {
  const t = tokenCreationSubmissions;
  const [row] = await tx
    .select({ at: t.closedAt, as: t.closedAs, note: t.closedNote, address: t.deliveredAddress })
    .from(t)
    .where(eq(t.id, requestId));
  return row?.at && row.as ? { as: row.as, at: row.at, evidence: row.address ?? row.note ?? '' } : null;
}

interface TokenDelivery {
  /** 'statement': by hand, the evidence is what the team states. */
  evidenceKind: 'creation' | 'statement';
  evidence: string;
  doneAt: Date;
  /** The admin who delivered it. */
  by: string | null;
  now: Date;
}

/** Records the open items of a request's token as delivered. */
export const deliverTokenItems = (
  tx: Tx,
  requestId: string,
  { evidenceKind, evidence, doneAt, by, now }: TokenDelivery,
): Promise<{ id: string }[]> =>
  tx
    .update(deliverables)
    .set({
      state: 'delivered',
      evidenceKind,
      evidence,
      doneAt,
      doneBy: by,
      updatedAt: now,
      version: sql`${deliverables.version} + 1`,
    })
    .where(
      and(
        eq(deliverables.submissionId, requestId),
        eq(deliverables.state, 'open'),
        inArray(deliverables.item, TOKEN_ITEMS),
      ),
    )
    .returning({ id: deliverables.id });

async function endReturned(tx: Tx, { requestId, paymentId, at }: PaidOrder): Promise<void> {
  const ended = await tx
    .update(deliverables)
    .set({
      state: 'withdrawn',
      withdrawnAt: at,
      withdrawnCause: 'refunded',
      updatedAt: at,
      version: sql`${deliverables.version} + 1`,
    })
    .where(and(eq(deliverables.paymentId, paymentId), eq(deliverables.state, 'open')))
    .returning({ id: deliverables.id });
  if (ended.length === 0) return;
  await publishChange(tx, 'deliverables');
  await audit(tx, SYSTEM, {
    action: 'deliverable.withdrawn',
    resourceType: 'token_request',
    resourceId: requestId,
    after: { items: ended.length, cause: 'refunded' },
  });
}

/** Ends the open deliverables of a request that the team closes; the request is locked, and the caller writes the audit entry. */
export async function endWithRequest(
  tx: Tx,
  requestId: string,
  {
    at,
    by,
    as,
    reason,
    address,
  }: { at: Date; by: string | null; as: 'delivered' | 'cancelled'; reason: string; address: string | null },
): Promise<void> {
  const open = and(eq(deliverables.submissionId, requestId), eq(deliverables.state, 'open'));
  const touch = { updatedAt: at, version: sql`${deliverables.version} + 1` };
  if (as === 'cancelled')
    await tx
      .update(deliverables)
      .set({
        ...touch,
        state: 'withdrawn',
        withdrawnAt: at,
        withdrawnBy: by,
        withdrawnCause: 'closed',
        withdrawnReason: reason,
      })
      .where(open);
  else {
    // The team delivered the token: deliverables that depend on it get their date, and remain open.
    const evidence = address ?? reason;
    await deliverTokenItems(tx, requestId, { evidenceKind: 'statement', evidence, doneAt: at, by, now: at });
    await setTokenDates(tx, requestId, at);
  }
  await publishChange(tx, 'deliverables');
}

/**
 * Reverts the effects of closing a request, and applies what became of its payments meanwhile; the request is locked and open again, and
 * the caller writes the audit entry.
 */
export async function reopenWithRequest(tx: Tx, requestId: string, at: Date): Promise<void> {
  const ofRequest = eq(deliverables.submissionId, requestId);
  const touch = { updatedAt: at, version: sql`${deliverables.version} + 1` };
  await tx
    .update(deliverables)
    .set({
      ...touch,
      state: 'open',
      withdrawnAt: null,
      withdrawnBy: null,
      withdrawnCause: null,
      withdrawnReason: null,
    })
    .where(and(ofRequest, eq(deliverables.withdrawnCause, 'closed')));
  await tx
    .update(deliverables)
    .set({ ...touch, state: 'open', evidenceKind: null, evidence: null, doneAt: null, doneBy: null })
    .where(and(ofRequest, eq(deliverables.evidenceKind, 'statement')));
  // Dates that count from a token which was not created after all.
  await tx
    .update(deliverables)
    .set({ dueAt: null, lateNoticeAt: null })
    .where(and(ofRequest, eq(deliverables.state, 'open'), eq(deliverables.dueFrom, 'token')));
  await applyPayments(tx, requestId, at);
  await publishChange(tx, 'deliverables');
}

/** Ends open deliverables of payments whose money was returned, and creates the missing ones of paid payments. */
async function applyPayments(tx: Tx, requestId: string, at: Date): Promise<void> {
  const owners = await tx
    .selectDistinct({ id: deliverables.paymentId })
    .from(deliverables)
    .where(and(eq(deliverables.submissionId, requestId), eq(deliverables.state, 'open')));
  const ids = owners.map(({ id }) => id);
  const rows = (await findPayments(tx, sql`submission_id = ${requestId}`)).filter(({ id }) => ids.includes(id));
  const back = await sentBack(tx, ids);
  for (const row of rows) {
    const { id: paymentId, plan, manualDays } = row;
    const returned = row.state === 'refunded' || back.has(paymentId);
    await createOrEndDeliverables(tx, { requestId, paymentId, plan, manualDays, paid: isPaid(row), returned, at });
  }
}

/** Items that are delivered with the token itself. */
export const TOKEN_ITEMS: DeliverableItem[] = (Object.keys(DELIVERABLES) as DeliverableItem[]).filter(
  (item) => DELIVERABLES[item].kind === 'token',
);

/** Sets the dates of deliverables that depend on the token, once. */
export const setTokenDates = (tx: Tx, requestId: string, at: Date) =>
  tx
    .update(deliverables)
    .set({ dueAt: sql`${at.toISOString()}::timestamptz + make_interval(days => ${deliverables.dueDays})` })
    .where(
      and(eq(deliverables.submissionId, requestId), eq(deliverables.dueFrom, 'token'), isNull(deliverables.dueAt)),
    );

/** State of each item for the page of an order: the deliverables once it is paid, before that the promise of the plan. */
export async function readOrderItems(db: Reader, requestId: string, plan: Plan, now: Date): Promise<OrderItem[]> {
  const rows = await db
    .select({ row: deliverables, refund: refundCases.number })
    .from(deliverables)
    .leftJoin(refundCases, eq(refundCases.id, deliverables.refundId))
    .where(eq(deliverables.submissionId, requestId))
    .orderBy(asc(deliverables.position), asc(deliverables.id));
  if (rows.length > 0) {
    const places = await newestPlaces(
      db,
      rows.flatMap(({ row }) => (row.item === PLACE_ITEM ? [row.id] : [])),
    );
    return rows.map(({ row, refund }) => presentItem(row, refund, places.get(row.id) ?? null, now));
  }
  const terms = await readTerms(db);
  return itemsOfPlan(plan).map(({ item, line }) => {
    const { dueFrom, dueDays, ifNot } = termsOfItem(terms, item);
    return {
      key: item,
      line,
      state: 'promised',
      late: false,
      dueFrom,
      dueDays,
      dueAt: null,
      doneAt: null,
      evidence: null,
      place: null,
      note: null,
      withdrawnAt: null,
      withdrawnReason: null,
      refund: null,
      ifNot,
    };
  });
}

const STATES = { open: 'promised', delivered: 'done', withdrawn: 'withdrawn' } as const;

const presentItem = (row: DeliverableRow, refund: string | null, place: OrderItem['place'], now: Date): OrderItem => ({
  key: row.item,
  line: row.line,
  state: STATES[row.state],
  late: row.state === 'open' && row.dueAt !== null && row.dueAt <= now,
  dueFrom: row.dueFrom,
  dueDays: row.dueDays,
  dueAt: row.dueAt?.toISOString() ?? null,
  doneAt: row.doneAt?.toISOString() ?? null,
  evidence: row.evidenceKind && row.evidence ? { kind: row.evidenceKind, value: row.evidence } : null,
  place,
  note: row.note,
  withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
  withdrawnReason: row.withdrawnReason,
  refund,
  ifNot: { es: row.ifNotEs, en: row.ifNotEn },
});
