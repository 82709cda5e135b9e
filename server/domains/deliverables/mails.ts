import { eq, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import { notifyOfOrder } from '#server/domains/notifications/member-events.service.ts';
import { findPayments, lockRequest } from '#server/domains/payments/facts/record.service.ts';
import { orderLink } from '#server/domains/payments/orders/order-link.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { queueMail } from '#server/mail/mail.ts';
import type { DeliverableRow } from './deliverables.service.ts';

/**
 * Notifies the payer of some deliverables of one order, and mails it: delivered, late, withdrawn, or that a sold place ended early, for
 * which `evidence` is its period.
 */
export async function notifyOfDeliverables(
  tx: Tx,
  { jobs, secret }: { jobs: JobQueue; secret: string },
  news: 'done' | 'late' | 'interrupted' | 'withdrawn',
  rows: DeliverableRow[],
  now: Date,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { email } = await lockRequest(tx, first.submissionId);
  const [payment] = await findPayments(tx, sql`id = ${first.paymentId}`);
  if (!payment) return;
  await notifyOfOrder(tx, {
    requestId: first.submissionId,
    orderId: payment.orderId,
    detail: `item_${news}`,
    // A place can be interrupted several times while its deliverable does not change.
    of: `${first.id}:${first.version}:${news === 'interrupted' ? first.evidence : ''}`,
    now,
  });
  if (!email) return;
  const { locale } = payment;
  const [refund] = first.refundId
    ? await tx.select({ number: refundCases.number }).from(refundCases).where(eq(refundCases.id, first.refundId))
    : [];
  await queueMail(tx, jobs, {
    to: email,
    locale,
    template: 'deliverables',
    data: {
      news,
      orderId: payment.orderId,
      items: rows.map((row) => ({
        item: row.item,
        dueAt: row.dueAt?.toISOString() ?? null,
        evidence: row.evidence,
        ifNot: locale === 'es' ? row.ifNotEs : row.ifNotEn,
      })),
      note: (news === 'withdrawn' ? first.withdrawnReason : first.note) ?? '',
      refund: refund?.number ?? null,
      path: await orderLink(tx, secret, first.submissionId, locale),
      simulation: payment.simulation,
    },
  });
}
