import { asc, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { payments, unplacedPayments } from '#server/db/tables/payments.ts';
import { lockPayment } from '#server/domains/payments/facts/record.service.ts';
import { postHistory } from '#server/domains/payments/posting/post-payment.service.ts';
import { postRefundsOf } from '#server/domains/payments/posting/post-refunds.service.ts';
import { bookUnplaced } from '#server/domains/payments/unplaced.service.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';

/** Payments per batch, each in its own transaction; one that can't be posted does not block the others. */
const BATCH_SIZE = 200;

/**
 * Posts money that is older than the money ledger: all payments with their refunds, and at most 200 deposits without an order.
 *
 * @returns the number of posted payments and deposits. @throws the failures; the next run continues.
 */
export async function backfillMoneyLedger(db: Db): Promise<number> {
  let posted = 0;
  await runEachSettled([backfillPayments, backfillUnplaced], async (part) => {
    posted += await part(db);
  });
  return posted;
}

async function backfillPayments(db: Db): Promise<number> {
  let posted = 0;
  for (;;) {
    const rows = await db
      .select({ id: payments.id })
      .from(payments)
      .where(isNull(payments.bookedAt))
      .orderBy(asc(payments.createdAt))
      .limit(BATCH_SIZE);
    await runEachSettled(rows, ({ id }) =>
      db.transaction(async (tx) => {
        const { row } = await lockPayment(tx, id);
        await postHistory(tx, row);
        await postRefundsOf(tx, id);
        await tx.update(payments).set({ bookedAt: sql`now()` }).where(eq(payments.id, id));
      }),
    );
    posted += rows.length;
    if (rows.length < BATCH_SIZE) return posted;
  }
}

async function backfillUnplaced(db: Db): Promise<number> {
  const rows = await db.select().from(unplacedPayments).where(isNull(unplacedPayments.bookedAt)).limit(BATCH_SIZE);
  await runEachSettled(rows, (row) =>
    db.transaction(async (tx) => {
      await bookUnplaced(tx, row, row.settledAt ?? row.firstSeenAt);
      await tx
        .update(unplacedPayments)
        .set({ bookedAt: sql`now()` })
        .where(eq(unplacedPayments.providerPaymentId, row.providerPaymentId));
    }),
  );
  return rows.length;
}
