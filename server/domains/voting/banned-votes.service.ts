import { and, eq, gte, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { votes, votingRounds } from '#server/db/tables/voting.ts';
import { BANNED } from './banned-votes.ts';
import { changeVoteStates, lockCandidates } from './vote-states.service.ts';

/**
 * Locks what a change of all votes of a member locks, before the member's own row is: in the order of everybody who votes.
 */
export const lockVotesOf = (tx: Tx, userId: string): Promise<void> =>
  lockCandidates(tx, sql`(select candidate_id from votes where user_id = ${userId})`);

/**
 * Voids the votes of the open round of a member who is banned, in a transaction that has locked the member's row, so that
 * no vote is under way. What each of them was is kept beside it.
 *
 * @returns how many.
 */
export async function voidVotesOfBanned(tx: Tx, userId: string, now: Date): Promise<number> {
  const rows = await tx
    .update(votes)
    .set({ bannedState: sql`${votes.state}`, bannedReason: sql`${votes.stateReason}` })
    .from(votingRounds)
    .where(
      and(
        eq(votingRounds.status, 'open'),
        eq(votes.userId, userId),
        ne(votes.state, 'void'),
        or(eq(votes.roundId, votingRounds.id), and(isNull(votes.roundId), gte(votes.createdAt, votingRounds.opensAt))),
      ),
    )
    .returning({ id: votes.id, day: votes.votedOn });
  const voteIds = rows.map(({ id }) => id);
  const days = rows.map(({ day }) => day);
  return (await changeVoteStates(tx, { voteIds, days, to: 'void', reason: BANNED, now })).changed;
}

/**
 * Makes the votes that a ban voided again what they were. Those that staff decided about meanwhile are left as they are.
 *
 * @returns how many.
 */
export async function restoreVotesOfBanned(tx: Tx, userId: string, now: Date): Promise<number> {
  const rows = await tx
    .select({ id: votes.id, day: votes.votedOn, state: votes.bannedState, reason: votes.bannedReason })
    .from(votes)
    .where(
      and(
        eq(votes.userId, userId),
        eq(votes.state, 'void'),
        eq(votes.stateReason, BANNED),
        isNotNull(votes.bannedState),
      ),
    );
  let changed = 0;
  for (const [first, ...more] of Map.groupBy(rows, ({ state, reason }) => `${state} ${reason}`).values()) {
    const to = first?.state;
    if (!first || !to) continue;
    const voteIds = [first, ...more].map(({ id }) => id);
    const days = [first, ...more].map(({ day }) => day);
    changed += (await changeVoteStates(tx, { voteIds, days, to, reason: first.reason, now })).changed;
  }
  await tx.execute(sql`
    update votes set banned_state = null, banned_reason = null where user_id = ${userId} and banned_state is not null`);
  return changed;
}
