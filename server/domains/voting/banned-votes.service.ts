import { sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import type { VoteState } from '#server/db/tables/voting.ts';
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
  const { rows } = await tx.execute<{ id: string }>(sql`
    update votes v set banned_state = v.state, banned_reason = v.state_reason
    from voting_rounds r
    where r.status = 'open' and v.user_id = ${userId} and v.state <> 'void'
      and (v.round_id = r.id or (v.round_id is null and v.created_at >= r.opens_at))
    returning v.id`);
  const voteIds = rows.map(({ id }) => Number(id));
  return (await changeVoteStates(tx, { voteIds, to: 'void', reason: BANNED, now })).changed;
}

/**
 * Makes the votes that a ban voided again what they were. Those that staff decided about meanwhile are left as they are.
 *
 * @returns how many.
 */
export async function restoreVotesOfBanned(tx: Tx, userId: string, now: Date): Promise<number> {
  const { rows } = await tx.execute<{ state: VoteState; reason: string | null; ids: string[] }>(sql`
    select banned_state as state, banned_reason as reason, array_agg(id::text) as ids from votes
    where user_id = ${userId} and state = 'void' and state_reason = ${BANNED} and banned_state is not null group by 1, 2`);
  let changed = 0;
  for (const { state, reason, ids } of rows)
    changed += (await changeVoteStates(tx, { voteIds: ids.map(Number), to: state, reason, now })).changed;
  await tx.execute(sql`
    update votes set banned_state = null, banned_reason = null where user_id = ${userId} and banned_state is not null`);
  return changed;
}
