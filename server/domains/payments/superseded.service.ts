import { sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { findPayments, lockPayment, record } from '#server/domains/payments/facts/record.service.ts';
import { isAtLeastPartPaid } from '#server/domains/payments/facts/reduce.policy.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import type { RecordDependencies } from './order-callbacks.port.ts';
import { readUnsuperseded } from './superseded.sql.ts';

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };
/** Payments per run. */
const BATCH_SIZE = 200;

/**
 * Supersedes earlier orders that a change of plan did not: an earlier version superseded only the newest one. Those that were paid since are
 * left, because their delivery has begun.
 *
 * Idempotent. A payment that fails does not block the others.
 *
 * @returns the number of payments, at most 200.
 * @throws the failures, after all were processed.
 */
export async function supersedeMissed(
  { db, tools }: { db: Db; tools: RecordDependencies },
  now: Date,
): Promise<number> {
  const found = await readUnsuperseded(db, { max: BATCH_SIZE });
  let superseded = 0;
  await runEachSettled(found, async ({ id }) => {
    superseded += await db.transaction(async (tx) => {
      const { row } = await lockPayment(tx, id);
      const [current] = await findPayments(tx, sql`submission_id = ${row.submissionId} and is_current`);
      const isSame = current?.plan === row.plan && current.priceUsd === row.priceUsd;
      // It may have been paid or superseded, or its plan chosen again, while this waited for the lock.
      if (!current || isSame || row.knownFacts.supersededAt !== null || isAtLeastPartPaid(row.state)) return 0;
      const at = current.createdAt.getTime();
      await record(tx, tools, id, { facts: [{ type: 'superseded', at }], actor: SYSTEM, now });
      const { id: paymentId, orderId, submissionId: requestId, state } = row;
      await audit(tx, SYSTEM, {
        action: 'payment.superseded',
        resourceType: 'payment',
        resourceId: paymentId,
        after: { state, orderId, requestId, plan: row.plan },
      });
      return 1;
    });
  });
  return superseded;
}
