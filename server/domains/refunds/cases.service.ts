import { desc, eq, sql } from 'drizzle-orm';
import type { Refund } from '#contract/domains/refunds.ts';
import { REFUND_CODE_MINUTES } from '#contract/limits.ts';
import { fromUnits, refundAsset } from '#contract/refund-assets.ts';
import type { Reader, Tx } from '#server/db/client.ts';
import { payments } from '#server/db/tables/payments.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import { notifyOfOrder } from '#server/domains/notifications/member-events.service.ts';
import { findPayments, lockRequest } from '#server/domains/payments/facts/record.service.ts';
import { orderLink } from '#server/domains/payments/orders/order-link.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { queueMail } from '#server/mail/mail.ts';

export type RefundRow = typeof refundCases.$inferSelect;

/** Dependencies of refunds. */
export interface RefundServices {
  jobs: JobQueue;
  secret: string;
}

/** Locks a refund after its request, in the common lock order. @throws NOT_FOUND */
export async function lockRefund(tx: Tx, id: string, requestId?: string): Promise<RefundRow> {
  const [seen] = await tx.select().from(refundCases).where(eq(refundCases.id, id));
  if (!seen || (requestId !== undefined && seen.submissionId !== requestId))
    return fail('NOT_FOUND', { what: 'refund' });
  await lockRequest(tx, seen.submissionId);
  const [row] = await tx.select().from(refundCases).where(eq(refundCases.id, id)).for('update');
  return row ?? fail('NOT_FOUND', { what: 'refund' });
}

/** Locks an open refund in the version that the editor saw. @throws NOT_FOUND, VERSION_CONFLICT, REFUND_CLOSED */
export async function lockOpen(tx: Tx, { id, version }: { id: string; version: number }): Promise<RefundRow> {
  const row = await lockRefund(tx, id);
  if (row.state === 'sent' || row.state === 'withdrawn') return fail('REFUND_CLOSED', { state: row.state });
  if (row.version !== version)
    fail('VERSION_CONFLICT', {
      version: row.version,
      current: { state: row.state, address: shortAddress(row.address) },
      at: row.updatedAt.toISOString(),
    });
  return row;
}

/** Enough of an address to recognize it, and too little to pay to it. */
export const shortAddress = (address: string | null): string | null =>
  address && `${address.slice(0, 8)}…${address.slice(-6)}`;

export const changeRefund = async (
  tx: Tx,
  row: RefundRow,
  values: Partial<RefundRow>,
  now: Date,
): Promise<RefundRow> => {
  const [changed] = await tx
    .update(refundCases)
    .set({ ...values, version: row.version + 1, updatedAt: now })
    .where(eq(refundCases.id, row.id))
    .returning();
  return changed ?? fail('NOT_FOUND', { what: 'refund' });
};

/** Number of the order of a payment; empty when there is no such payment. */
export async function orderIdOf(db: Reader, paymentId: string): Promise<string> {
  const [row] = await db.select({ orderId: payments.orderId }).from(payments).where(eq(payments.id, paymentId));
  return row?.orderId ?? '';
}

/**
 * A refund in the form for its payer. Admins can open the payer's page too, so a confirmed address is shortened there until the refund
 * was sent.
 */
export function presentRefund(row: RefundRow, orderId: string): Refund {
  const at = (moment: Date | null) => moment?.toISOString() ?? null;
  return {
    id: row.id,
    number: row.number,
    orderId,
    cause: row.cause,
    reason: row.reason,
    state: row.state,
    asset: row.asset,
    chain: refundAsset(row.asset)?.chain ?? 'evm',
    amount: fromUnits(row.amount, row.decimals),
    units: String(row.amount),
    address: row.state === 'ready' || row.state === 'withdrawn' ? shortAddress(row.address) : row.address,
    paying: row.state === 'ready' && row.claimedAt !== null,
    transaction: row.transaction,
    byProvider: row.byProvider,
    simulation: row.simulation,
    openedAt: row.createdAt.toISOString(),
    addressAt: at(row.addressAt),
    confirmedAt: at(row.confirmedAt),
    sentAt: at(row.sentAt),
    withdrawnAt: at(row.withdrawnAt),
    withdrawnReason: row.withdrawnReason,
    withdrawnCause: row.withdrawnCause ?? (row.withdrawnAt ? 'team' : null),
  };
}

/** Refunds of a request, newest first. */
export async function refundsOf(db: Reader, requestId: string): Promise<Refund[]> {
  const rows = await db
    .select({ row: refundCases, orderId: payments.orderId })
    .from(refundCases)
    .innerJoin(payments, eq(payments.id, refundCases.paymentId))
    .where(eq(refundCases.submissionId, requestId))
    .orderBy(desc(refundCases.createdAt), refundCases.id);
  return rows.map(({ row, orderId }) => presentRefund(row, orderId));
}

/** Amount of a refund with its coin's code: '0.01 USDTTRC20'. */
export const amountOf = ({ amount, decimals, asset }: RefundRow) =>
  `${fromUnits(amount, decimals)} ${asset.toUpperCase()}`;

/**
 * Notifies the payer of a change of a refund and mails it, and publishes a live event. A code to confirm an address is in the mail only.
 */
export async function notifyPayer(
  tx: Tx,
  { jobs, secret }: RefundServices,
  row: RefundRow,
  news: 'opened' | 'confirm' | 'sent' | 'withdrawn' | 'returned',
  { code = '', rest = null }: { code?: string; rest?: RefundRow | null } = {},
): Promise<void> {
  await publishChange(tx, 'deliverables');
  const { email } = await lockRequest(tx, row.submissionId);
  const [payment] = await findPayments(tx, sql`id = ${row.paymentId}`);
  if (!payment) return;
  if (news !== 'confirm')
    await notifyOfOrder(tx, {
      requestId: row.submissionId,
      orderId: payment.orderId,
      detail: `refund_${news}`,
      of: row.id,
      now: row.updatedAt,
    });
  if (!email) return;
  await queueMail(tx, jobs, {
    to: email,
    locale: payment.locale,
    template: 'refund',
    data: {
      news,
      number: row.number,
      orderId: payment.orderId,
      amount: amountOf(row),
      rest: rest && { number: rest.number, amount: amountOf(rest), ready: rest.state === 'ready' },
      reason: news === 'withdrawn' ? (row.withdrawnReason ?? '') : row.reason,
      address: row.address,
      transaction: row.transaction,
      code,
      minutes: REFUND_CODE_MINUTES,
      ...(news === 'confirm' && row.codeUntil ? { until: row.codeUntil.toISOString() } : {}),
      path: await orderLink(tx, secret, row.submissionId, payment.locale),
      simulation: row.simulation,
    },
  });
}

export const auditRefund = (
  tx: Tx,
  actor: Actor,
  action: 'opened' | 'address_set' | 'address_confirmed' | 'claimed' | 'released' | 'halted' | 'sent' | 'withdrawn',
  row: RefundRow,
  { reason, answer }: { reason?: string; answer?: 'answered' | 'unknown' } = {},
) =>
  audit(tx, actor, {
    action: `refund.${action}`,
    resourceType: 'refund',
    resourceId: row.id,
    after: {
      state: row.state,
      number: row.number,
      requestId: row.submissionId,
      asset: row.asset,
      units: String(row.amount),
      // The full address is shown only by a claim: the log must not contain it either.
      address: action === 'claimed' || row.state === 'sent' ? row.address : shortAddress(row.address),
      transaction: row.transaction,
      cause: row.cause,
      ...(answer ? { answer } : {}),
      ...(row.byProvider || row.withdrawnCause === 'returned' ? { byProvider: true } : {}),
    },
    ...(reason ? { reason } : {}),
  });
