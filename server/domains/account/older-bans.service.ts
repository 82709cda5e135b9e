import { sql } from 'drizzle-orm';
import type { Db } from '#server/db/client.ts';
import { users } from '#server/db/tables/accounts.ts';
import { decideHeldWithoutBan } from '#server/domains/vote-review/older-decisions.service.ts';
import { hasVotesLeftByBan, lockVotesOf, voidVotesOfBanned } from '#server/domains/voting/banned-votes.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { type Present, presentIn } from '#server/lib/clock.ts';

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };
/** Accounts of one run; the next one goes on. */
const BATCH_SIZE = 500;

/**
 * Gives votes of the open round, of members whom an earlier version banned, what a ban gives them now: also those that were void
 * before it have beside them what they are without it, so that no decision about a cluster makes them count; and those whose
 * cluster was decided during the ban are without it what was decided. Run again it finds nothing.
 *
 * @returns of how many members.
 */
export async function updateVotesOfBanned(db: Db, present: Present, now: Date): Promise<number> {
  const banned = sql`${users.bannedUntil} > ${presentIn(present)}`;
  const due = await db
    .select({ id: users.id })
    .from(users)
    .where(sql`${banned} and ${hasVotesLeftByBan(sql`${users.id}`)}`)
    .orderBy(users.id)
    .limit(BATCH_SIZE);
  let updated = 0;
  for (const { id } of due)
    updated += await db.transaction(async (tx) => {
      // In the order of everybody who votes.
      await lockVotesOf(tx, id);
      const [still] = await tx
        .select({ id: users.id })
        .from(users)
        .where(sql`${users.id} = ${id} and ${banned}`)
        .for('update');
      // Opened meanwhile.
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
  return updated;
}
