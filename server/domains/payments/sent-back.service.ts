import type { Db } from '#server/db/client.ts';
import { lockPayment, type PaymentRow, record } from '#server/domains/payments/facts/record.service.ts';
import { depositsIn, type Fact, hasMoney, outcomeOf, termsOf } from '#server/domains/payments/facts/reduce.policy.ts';
import { sentBack } from '#server/domains/payments/orders/request-stage.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import type { RecordDependencies } from './order-callbacks.port.ts';
import { readMissedReturns } from './sent-back.sql.ts';

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };
/** Payments per run. */
const BATCH_SIZE = 50;

/** The fact that the team sent back all money of a payment, and the deposits that it is about, with what had arrived of each. */
export function sentBackFact({ knownFacts }: PaymentRow, now: Date): Fact {
  const held = depositsIn(knownFacts).filter(hasMoney);
  const amounts = Object.fromEntries(
    held.map(({ paymentId, paidText, actuallyPaid }) => [paymentId, paidText ?? String(actuallyPaid ?? 0)]),
  );
  return { type: 'sent_back', at: now.getTime(), of: Object.keys(amounts), amounts };
}

/**
 * Records of payments whose money the team sent back what a refund records since, where an earlier version recorded only the refund, and so
 * does a halted one: their deliverables end, and nobody waits for the rest of a part payment.
 *
 * Idempotent. A payment that fails does not block the others.
 *
 * @returns the number of payments, at most 50.
 * @throws the failures, after all were processed.
 */
export async function recordMissedReturns(
  { db, tools }: { db: Db; tools: RecordDependencies },
  now: Date,
): Promise<number> {
  const found = await readMissedReturns(db, { max: BATCH_SIZE });
  let recorded = 0;
  await runEachSettled(found, async ({ id }) => {
    recorded += await db.transaction(async (tx) => {
      const { row } = await lockPayment(tx, id);
      if (!(await sentBack(tx, [id])).has(id)) return 0;
      const attention = (one: PaymentRow) => outcomeOf(one.knownFacts, termsOf(one)).attention;
      const before = attention(row);
      await record(tx, tools, id, { facts: [sentBackFact(row, now)], actor: SYSTEM, now });
      const after = attention((await lockPayment(tx, id)).row);
      if (before.join() !== after.join())
        await audit(tx, SYSTEM, {
          action: 'payment.changed',
          resourceType: 'payment',
          resourceId: id,
          before: { state: row.state, attention: before },
          after: { state: row.state, orderId: row.orderId, requestId: row.submissionId, attention: after },
        });
      return 1;
    });
  });
  return recorded;
}
