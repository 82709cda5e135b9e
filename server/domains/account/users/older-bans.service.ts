import { sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { users } from '#server/db/tables/accounts.ts';
import { decideHeldWithoutBan } from '#server/domains/vote-review/older-decisions.service.ts';
import { hasVotesLeftByBan, lockVotesOf, voidVotesOfBanned } from '#server/domains/voting/banned-votes.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { databaseNow, type FixedNow } from '#server/lib/clock.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };
/** Accounts per run; the next run continues. */
const BATCH_SIZE = 500;

/**
 * Updates votes of the open round whose members were banned by an earlier version to the state that a ban creates now: votes that
 * were void before the ban get a stored state without the ban too, so that no decision about a cluster makes them count; and those
 * whose cluster was decided during the ban get the decided state as the one without the ban. Idempotent.
 *
 * @returns the number of members. @throws the failures, after all were processed.
 */
export async function updateVotesOfBanned(db: Db, fixedNow: FixedNow, now: Date): Promise<number> {
  const banned = sql`${users.bannedUntil} > ${databaseNow(fixedNow)}`;
  const due = await db
    .select({ id: users.id })
    .from(users)
    .where(sql`${banned} and ${hasVotesLeftByBan(sql`${users.id}`)}`)
    .orderBy(users.id)
    .limit(BATCH_SIZE);
  let updated = 0;
  await runEachSettled(due, async ({ id }) => {
    updated += await db.transaction(async (tx) => {
      // In the lock order of all voters.
      await lockVotesOf(tx, id);
      const [still] = await tx
        .select({ id: users.id })
        .from(users)
        .where(sql`${users.id} = ${id} and ${banned}`)
        .for('update');
      // Unbanned concurrently.
      if (!still) return 0;
      const votes = await voidVotesOfBanned(tx, id, now);
      await decideHeldWithoutBan(tx, id);
      await audit(tx, SYSTEM, {
        action: 'member.banned_votes_updated',
        resourceType: 'member',
        resourceId: id,
        after: { votes },
      });
      return 1;
    });
  });
  return updated;
}
