import { and, desc, eq, gte, inArray, min, sql } from 'drizzle-orm';
import { refundAsset } from '#contract/refund-assets.ts';
import type { Tx } from '#server/db/client.ts';
import { users } from '#server/db/tables/accounts.ts';
import { deliverables } from '#server/db/tables/deliverables.ts';
import { paymentEvents } from '#server/db/tables/payments.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import { notifyOfOrder } from '#server/domains/notifications/member-events.service.ts';
import { memberLocale } from '#server/domains/notifications/member-locale.service.ts';
import {
  findPayments,
  lockRequest,
  type PaymentRow,
  seenDeposits,
} from '#server/domains/payments/facts/record.service.ts';
import type { ReturnedMoney } from '#server/domains/payments/order-callbacks.port.ts';
import { orderLink } from '#server/domains/payments/orders/order-link.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { newRecordNumber } from '#server/lib/text/record-number.ts';
import { publishChange } from '#server/live/publish.ts';
import { queueMail } from '#server/mail/mail.ts';
import type { Deposit } from '#server/providers/payments/port.ts';
import type { Editor } from '#server/records/records.ts';
import { arrivedAssets, sentUnits, unitsIn } from './amounts.service.ts';
import {
  amountOf,
  auditRefund,
  changeRefund,
  notifyPayer,
  type RefundRow,
  type RefundServices,
} from './cases.service.ts';
import { openAfterReturn, unusedReturn } from './returned.policy.ts';

const OPEN = ['address_needed', 'address_unconfirmed', 'ready'] as const;

/**
 * Withdraws open refunds of money that the provider returned on its own initiative, in the transaction that records the return. The
 * rest of a refund continues in a new one, with the address that its payer confirmed. A claimed one may be paid already and is halted.
 * When no refund was open for that money, the payer is notified of the return itself.
 */
export async function withdrawReturned(
  tx: Tx,
  services: RefundServices,
  { paymentId, deposits, actor, at }: ReturnedMoney,
): Promise<void> {
  const [payment] = await findPayments(tx, sql`id = ${paymentId}`);
  if (!payment) return;
  const rows = await tx
    .select()
    .from(refundCases)
    .where(and(eq(refundCases.paymentId, paymentId), inArray(refundCases.state, [...OPEN])))
    .orderBy(desc(refundCases.createdAt), refundCases.id)
    .for('update');
  let isOfRefund = false;
  for (const asset of new Set(rows.map((row) => row.asset))) {
    const back = deposits.filter(({ payCurrency }) => payCurrency?.toLowerCase() === asset);
    const known = refundAsset(asset);
    if (back.length === 0 || !known) continue;
    const open = rows.filter((row) => row.asset === asset);
    const since = await firstSeen(tx, paymentId, back);
    const remaining = openAfterReturn(
      open.map(({ id, amount, haltedLeft, cause, createdAt }) => ({
        id,
        amount: haltedLeft ?? amount,
        mayBe: cause === 'payment' && createdAt >= since,
      })),
      {
        arrived: arrivedAssets(payment).get(asset) ?? 0n,
        sent: await sentUnits(tx, paymentId, asset),
        returned: back.reduce((sum, deposit) => sum + unitsIn(deposit, known.decimals), 0n),
      },
    );
    for (const row of open) {
      const left = remaining.get(row.id) ?? 0n;
      if (left >= (row.haltedLeft ?? row.amount)) continue;
      isOfRefund = true;
      await (row.claimedAt ? haltRefund : withdrawForReturn)(tx, services, row, left, { actor, now: at });
    }
  }
  if (!isOfRefund) await notifyOfReturn(tx, services, payment, at);
}

/** Notifies the payer of money that the provider returned, and mails it. */
async function notifyOfReturn(
  tx: Tx,
  { jobs, secret }: RefundServices,
  { submissionId, orderId, priceUsd, locale, simulation, state }: PaymentRow,
  now: Date,
): Promise<void> {
  await notifyOfOrder(tx, { requestId: submissionId, orderId, detail: 'returned', now });
  const { email } = await lockRequest(tx, submissionId);
  if (!email) return;
  await queueMail(tx, jobs, {
    to: email,
    locale,
    template: 'orderReturned',
    data: {
      orderId,
      priceUsd,
      simulation,
      all: state === 'refunded',
      path: await orderLink(tx, secret, submissionId, locale),
    },
  });
}

/** When the first of these deposits was first observed: an earlier refund is about other money. */
async function firstSeen(tx: Tx, paymentId: string, deposits: readonly Deposit[]): Promise<Date> {
  const [row] = await tx
    .select({ at: min(paymentEvents.createdAt) })
    .from(paymentEvents)
    .where(
      and(
        eq(paymentEvents.paymentId, paymentId),
        eq(paymentEvents.kind, 'seen'),
        inArray(
          paymentEvents.providerPaymentId,
          deposits.map((deposit) => deposit.paymentId),
        ),
      ),
    );
  return row?.at ?? new Date(0);
}

/**
 * Halts a claimed refund whose money the provider returned: it may be paid already, which only the admin who claimed it knows. Notifies them.
 *
 * @param left its rest if it was not paid, in the smallest unit of the asset.
 */
async function haltRefund(
  tx: Tx,
  { jobs }: { jobs: JobQueue },
  row: RefundRow,
  left: bigint,
  { actor, now }: Editor,
): Promise<void> {
  const changed = await changeRefund(tx, row, { haltedAt: row.haltedAt ?? now, haltedLeft: left }, now);
  await publishChange(tx, 'deliverables');
  const [claimant] = row.claimedBy
    ? await tx.select({ id: users.id, email: users.email }).from(users).where(eq(users.id, row.claimedBy))
    : [];
  if (claimant)
    await queueMail(tx, jobs, {
      to: claimant.email,
      locale: await memberLocale(tx, claimant),
      template: 'staffRefundHalted',
      data: { number: row.number, amount: amountOf(row), path: `/admin/refunds?q=${row.number}` },
    });
  await auditRefund(tx, actor, 'halted', changed);
}

/**
 * Withdraws a refund whose money the provider returned.
 *
 * @param left its rest, which continues in a new refund, in the smallest unit of the asset.
 */
export async function withdrawForReturn(
  tx: Tx,
  services: RefundServices,
  row: RefundRow,
  left: bigint,
  { actor, now }: Editor,
): Promise<void> {
  const changed = await changeRefund(
    tx,
    row,
    // The text of the reason is in the message catalogue, in the reader's language.
    { state: 'withdrawn', withdrawnAt: now, withdrawnReason: '', withdrawnCause: 'returned' },
    now,
  );
  const rest = left > 0n ? await openRest(tx, row, left, now) : null;
  await notifyPayer(tx, services, changed, 'returned', { rest });
  await auditRefund(tx, actor, 'withdrawn', changed);
  if (rest) await auditRefund(tx, actor, 'opened', rest);
}

/** An unconfirmed address has to be entered again: its code belongs to the refund that ended. */
async function openRest(tx: Tx, row: RefundRow, amount: bigint, now: Date): Promise<RefundRow> {
  const { submissionId, paymentId, cause, reason, asset, decimals, openedBy, simulation } = row;
  const { address, addressAt, confirmedAt } = row;
  const [rest] = await tx
    .insert(refundCases)
    .values({
      number: newRecordNumber('RF'),
      ...{ submissionId, paymentId, cause, reason, asset, decimals, openedBy, simulation, amount },
      ...(row.state === 'ready' ? { state: 'ready' as const, address, addressAt, confirmedAt } : {}),
      createdAt: now,
      updatedAt: now,
    })
    .returning();
  if (!rest) throw new Error('no refund inserted');
  await tx.update(deliverables).set({ refundId: rest.id }).where(eq(deliverables.refundId, row.id));
  return rest;
}

/**
 * Guard for recording a refund as sent by the provider: the provider reports returns of that coin since the refund was opened, and the part
 * of them that ended no other refund covers it. The request has to be locked.
 *
 * @throws REFUND_REFUSED
 */
export async function refuseUnlessReturned(
  tx: Tx,
  { paymentId, asset, decimals, amount, createdAt }: RefundRow,
): Promise<void> {
  const [payment] = await findPayments(tx, sql`id = ${paymentId}`);
  const known = await returnedSince(tx, paymentId, createdAt);
  const returned = (payment ? seenDeposits(payment) : [])
    .filter(({ status, payCurrency }) => status === 'refunded' && payCurrency?.toLowerCase() === asset)
    .filter((deposit) => known.has(deposit.paymentId))
    .reduce((sum, deposit) => sum + unitsIn(deposit, decimals), 0n);
  const rows = await tx
    .select()
    .from(refundCases)
    .where(and(eq(refundCases.paymentId, paymentId), eq(refundCases.asset, asset)));
  const uses = rows.map((row) => ({
    amount: row.amount,
    openedAt: row.createdAt,
    sentByProviderAt: row.byProvider ? row.sentAt : null,
    withdrawnAt: row.withdrawnCause === 'returned' ? row.withdrawnAt : null,
    halted:
      row.haltedAt && row.haltedLeft !== null && OPEN.some((state) => state === row.state)
        ? { at: row.haltedAt, left: row.haltedLeft }
        : null,
  }));
  if (amount > unusedReturn(returned, uses, createdAt)) fail('REFUND_REFUSED', { why: 'provider' });
}

/** The provider's ids of the deposits whose return became known since a moment. */
async function returnedSince(tx: Tx, paymentId: string, since: Date): Promise<Set<string | null>> {
  const rows = await tx
    .select({ id: paymentEvents.providerPaymentId })
    .from(paymentEvents)
    .where(
      and(
        eq(paymentEvents.paymentId, paymentId),
        eq(paymentEvents.kind, 'seen'),
        sql`${paymentEvents.body} ->> 'status' = 'refunded'`,
      ),
    )
    .groupBy(paymentEvents.providerPaymentId)
    .having(gte(min(paymentEvents.createdAt), since));
  return new Set(rows.map(({ id }) => id));
}
