import { and, asc, eq, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import { postedRefunds, postMoney, refundPart } from '#server/domains/money/posting.service.ts';
import { findPayments } from '#server/domains/payments/facts/record.service.ts';
import { worthOf } from './post-payment.service.ts';

type Refund = typeof refundCases.$inferSelect;

/** Posts a refund to the money ledger, in the transaction that records its sending; the request has to be locked. */
export async function postRefund(tx: Tx, row: Refund, at: Date): Promise<void> {
  const earlier = (await sentOf(tx, row.paymentId)).filter(({ id }) => id !== row.id);
  await post(tx, row, earlier, { at });
}

/** Posts the refunds of a payment that were sent before the money ledger existed. */
export async function postRefundsOf(tx: Tx, paymentId: string): Promise<void> {
  const rows = await sentOf(tx, paymentId);
  for (const [index, row] of rows.entries())
    await post(tx, row, rows.slice(0, index), { at: row.sentAt ?? row.updatedAt });
}

/**
 * Posts the dollars of refunds whose money had no value when it was sent and has one since: an admin accepted a deposit that does not match
 * its order after it had gone back. The request has to be locked.
 */
export async function postValueOfRefunds(tx: Tx, paymentId: string, at: Date): Promise<void> {
  const rows = await sentOf(tx, paymentId);
  // The newest refund of each coin.
  const newest = new Map(rows.filter(({ byProvider }) => !byProvider).map((row) => [row.asset, row]));
  for (const row of newest.values())
    await post(
      tx,
      row,
      rows.filter(({ id }) => id !== row.id),
      { at, onlyMore: true },
    );
}

/** The sent refunds of a payment, in the order of their sending. */
const sentOf = (tx: Tx, paymentId: string): Promise<Refund[]> =>
  tx
    .select()
    .from(refundCases)
    .where(and(eq(refundCases.paymentId, paymentId), eq(refundCases.state, 'sent')))
    .orderBy(asc(refundCases.sentAt), asc(refundCases.id));

/** @param how.onlyMore the dollars that are already posted for it are not reduced. */
async function post(
  tx: Tx,
  row: Refund,
  others: readonly Refund[],
  { at, onlyMore = false }: { at: Date; onlyMore?: boolean },
): Promise<void> {
  const [payment] = await findPayments(tx, sql`id = ${row.paymentId}`);
  if (!payment) return;
  const counted = others.filter(({ asset, byProvider }) => asset === row.asset && !byProvider);
  const amount = counted.reduce((sum, one) => sum + one.amount, 0n);
  const posted = onlyMore ? await postedRefunds(tx, [row, ...counted], row.simulation) : null;
  const cents = posted && counted.reduce((sum, { number }) => sum + (posted.get(number) ?? 0n), 0n);
  const before = { amount, ...(cents === null ? {} : { cents }) };
  const found = refundPart({ ...row, sent: row.state === 'sent' }, worthOf(payment, row.asset), before);
  if (posted && found.cents <= (posted.get(row.number) ?? 0n)) return;
  const order = { paymentId: payment.id, plan: payment.plan };
  await postMoney(tx, [found.part], { simulation: row.simulation, order, at });
}
