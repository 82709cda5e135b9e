import { sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { users } from '#server/db/tables/accounts.ts';
import { lockVotesOf, restoreVotesOfBanned } from '#server/domains/voting/banned-votes.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { databaseNow, type FixedNow } from '#server/lib/clock.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };
/** Accounts per run; the next run is a minute later. */
const BATCH_SIZE = 500;

/**
 * Finishes bans whose time is over, like a manual unban: the votes that the ban voided get their previous state. Signing in does
 * not depend on it.
 *
 * @returns the number of finished bans. @throws the failures, after all were processed.
 */
export async function finishEndedBans(db: Db, fixedNow: FixedNow, now: Date): Promise<number> {
  const over = sql`${users.bannedUntil} <= ${databaseNow(fixedNow)}`;
  const due = await db.select({ id: users.id }).from(users).where(over).orderBy(users.id).limit(BATCH_SIZE);
  let finished = 0;
  await runEachSettled(due, async ({ id }) => {
    finished += await db.transaction(async (tx) => {
      // In the lock order of all voters.
      await lockVotesOf(tx, id);
      const [still] = await tx
        .select({ until: users.bannedUntil })
        .from(users)
        .where(sql`${users.id} = ${id} and ${over}`)
        .for('update');
      // Banned again or unbanned concurrently.
      if (!still) return 0;
      await tx.update(users).set({ bannedUntil: null }).where(sql`${users.id} = ${id}`);
      const votes = await restoreVotesOfBanned(tx, id, now);
      await audit(tx, SYSTEM, {
        action: 'member.unbanned',
        resourceType: 'member',
        resourceId: id,
        before: { bannedUntil: still.until?.toISOString() ?? null },
        after: { bannedUntil: null, votes },
      });
      return 1;
    });
  });
  return finished;
}
