import { and, asc, eq, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import { postMoney, refundPart } from '#server/domains/money/posting.service.ts';
import { findPayments } from '#server/domains/payments/facts/record.service.ts';
import { worthOf } from '#server/domains/payments/posting/post-payment.service.ts';
import type { RefundRow } from './cases.service.ts';

/** Posts a refund to the money ledger, in the transaction that records its sending; the request has to be locked. */
export async function postRefund(tx: Tx, row: RefundRow, at: Date): Promise<void> {
  const earlier = (await sentOf(tx, row.paymentId)).filter(({ id }) => id !== row.id);
  await post(tx, row, earlier, at);
}

/** Posts the refunds of a payment that were sent before the money ledger existed. */
export async function postRefundsOf(tx: Tx, paymentId: string): Promise<void> {
  const rows = await sentOf(tx, paymentId);
  for (const [index, row] of rows.entries()) await post(tx, row, rows.slice(0, index), row.sentAt ?? row.updatedAt);
}

/** The sent refunds of a payment, in the order of their sending. */
const sentOf = (tx: Tx, paymentId: string): Promise<RefundRow[]> =>
  tx
    .select()
    .from(refundCases)
    .where(and(eq(refundCases.paymentId, paymentId), eq(refundCases.state, 'sent')))
    .orderBy(asc(refundCases.sentAt), asc(refundCases.id));

async function post(tx: Tx, row: RefundRow, earlier: readonly RefundRow[], at: Date): Promise<void> {
  const [payment] = await findPayments(tx, sql`id = ${row.paymentId}`);
  if (!payment) return;
  const before = earlier
    .filter(({ asset, byProvider }) => asset === row.asset && !byProvider)
    .reduce((sum, { amount }) => sum + amount, 0n);
  const part = refundPart({ ...row, sent: row.state === 'sent' }, worthOf(payment, row.asset), before);
  const order = { paymentId: payment.id, plan: payment.plan };
  await postMoney(tx, [part], { simulation: row.simulation, order, at });
}
