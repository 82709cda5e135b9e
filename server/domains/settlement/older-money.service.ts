import { asc, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { payments, unplacedPayments } from '#server/db/tables/payments.ts';
import { bookHistory } from '#server/domains/payments/booking/booking.service.ts';
import { lockPayment } from '#server/domains/payments/facts/record.service.ts';
import { bookUnplaced } from '#server/domains/payments/unplaced.service.ts';
import { bookRefundsOf } from '#server/domains/refunds/booking.service.ts';

/** Payments per round, each in a transaction of its own. */
const ROUND = 200;

/**
 * Posts money that is older than the money ledger: all payments with their refunds, and at most 200 deposits without an order.
 *
 * @returns the number of posted payments and deposits.
 */
export async function enterOlderMoney(db: Db): Promise<number> {
  let entered = 0;
  for (;;) {
    const rows = await db
      .select({ id: payments.id })
      .from(payments)
      .where(isNull(payments.bookedAt))
      .orderBy(asc(payments.createdAt))
      .limit(ROUND);
    for (const { id } of rows)
      await db.transaction(async (tx) => {
        const { row } = await lockPayment(tx, id);
        await bookHistory(tx, row);
        await bookRefundsOf(tx, id);
        await tx.update(payments).set({ bookedAt: sql`now()` }).where(eq(payments.id, id));
      });
    entered += rows.length;
    if (rows.length < ROUND) return entered + (await enterOlderUnplaced(db));
  }
}

async function enterOlderUnplaced(db: Db): Promise<number> {
  const rows = await db.select().from(unplacedPayments).where(isNull(unplacedPayments.bookedAt)).limit(ROUND);
  for (const row of rows)
    await db.transaction(async (tx) => {
      await bookUnplaced(tx, row, row.settledAt ?? row.firstSeenAt);
      await tx
        .update(unplacedPayments)
        .set({ bookedAt: sql`now()` })
        .where(eq(unplacedPayments.providerPaymentId, row.providerPaymentId));
    });
  return rows.length;
}
