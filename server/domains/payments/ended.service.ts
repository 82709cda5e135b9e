import type { Db } from '#server/db/client.ts';
import { lockPayment, record, termsOf } from '#server/domains/payments/facts/record.service.ts';
import { outcomeOf } from '#server/domains/payments/facts/reduce.policy.ts';
import type { Actor } from '#server/lib/audit.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { readEndedWithMoney } from './ended.sql.ts';
import type { RecordDependencies } from './order-callbacks.port.ts';

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };
/** Payments per run. */
const BATCH_SIZE = 200;

/**
 * Puts payments under review that an earlier version left as failed or expired although money of a deposit had arrived, or as paid by an
 * acceptance from before the provider failed it. Those that are still polled are left to their next check.
 *
 * Idempotent. A payment that fails does not block the others.
 *
 * @returns the number of payments, at most 200.
 * @throws the failures, after all were processed.
 */
export async function reviewEnded({ db, tools }: { db: Db; tools: RecordDependencies }, now: Date): Promise<number> {
  let found = 0;
  await runEachSettled(await readEndedWithMoney(db, { max: BATCH_SIZE }), async ({ id }) => {
    found += await db.transaction(async (tx) => {
      const { row } = await lockPayment(tx, id);
      // Another process may have changed it while this one waited for the lock.
      if (outcomeOf(row.knownFacts, termsOf(row)).state === row.state) return 0;
      // Without new facts: the state is computed again from the known ones.
      await record(tx, tools, id, { facts: [], actor: SYSTEM, now });
      return 1;
    });
  });
  return found;
}
