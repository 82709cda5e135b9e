import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import { postMoney, refundPart } from '#server/domains/money/posting.service.ts';
import { findPayments } from '#server/domains/payments/facts/record.service.ts';
import { worthOf } from '#server/domains/payments/posting/post-payment.service.ts';
import type { RefundRow } from './cases.service.ts';

/** Posts a sent refund to the money ledger, in the transaction that records the sending. */
export async function postRefund(tx: Tx, row: RefundRow, at: Date): Promise<void> {
  const [payment] = await findPayments(tx, sql`id = ${row.paymentId}`);
  if (!payment) return;
  const part = refundPart({ ...row, sent: row.state === 'sent' }, worthOf(payment, row.asset));
  const order = { paymentId: payment.id, plan: payment.plan };
  await postMoney(tx, [part], { simulation: row.simulation, order, at });
}

/** Posts the refunds of a payment that were sent before the money ledger existed. */
export async function postRefundsOf(tx: Tx, paymentId: string): Promise<void> {
  const rows = await tx
    .select()
    .from(refundCases)
    .where(and(eq(refundCases.paymentId, paymentId), eq(refundCases.state, 'sent')));
  for (const row of rows) await postRefund(tx, row, row.sentAt ?? row.updatedAt);
}
