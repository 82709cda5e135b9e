import { and, eq, gte, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { type VoteState, votes, votingRounds } from '#server/db/tables/voting.ts';
import { BANNED } from './banned-votes.ts';
import { changeVoteStates, lockCandidates } from './vote-states.service.ts';

/**
 * Acquires the locks that a change of all votes of a member needs, before the member's own row is locked: the lock order of
 * everyone who votes.
 */
export const lockVotesOf = (tx: Tx, userId: string): Promise<void> =>
  lockCandidates(tx, sql`(select candidate_id from votes where user_id = ${userId})`);

/**
 * Voids the votes of a banned member in the open round, in a transaction that has locked the member's row, so that no vote is in
 * progress. The state that each has without the ban is stored with it; decisions update that state meanwhile.
 *
 * @returns the number of votes that were counted or under review.
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
        isNull(votes.bannedState),
        or(eq(votes.roundId, votingRounds.id), and(isNull(votes.roundId), gte(votes.createdAt, votingRounds.opensAt))),
      ),
    )
    .returning({ id: votes.id, day: votes.votedOn });
  const voteIds = rows.map(({ id }) => id);
  const days = rows.map(({ day }) => day);
  const { changed } = await changeVoteStates(tx, { voteIds, days, to: 'void', reason: BANNED, now });
  // Votes that were already void before the ban.
  await tx
    .update(votes)
    .set({ stateReason: BANNED })
    .where(and(eq(votes.userId, userId), eq(votes.bannedState, 'void'), eq(votes.state, 'void')));
  return changed;
}

/**
 * Restores the votes that a ban voided to the state that they have without it.
 *
 * @returns the number of votes that are counted or under review again.
 */
export async function restoreVotesOfBanned(tx: Tx, userId: string, now: Date): Promise<number> {
  const rows = await tx
    .select({ id: votes.id, day: votes.votedOn, state: votes.bannedState, reason: votes.bannedReason })
    .from(votes)
    .where(and(eq(votes.userId, userId), BY_BAN));
  let changed = 0;
  for (const [first, ...more] of Map.groupBy(rows, ({ state, reason }) => `${state} ${reason}`).values()) {
    const to = first?.state;
    if (!first || !to) continue;
    const voteIds = [first, ...more].map(({ id }) => id);
    const days = [first, ...more].map(({ day }) => day);
    changed += (await changeVoteStates(tx, { voteIds, days, to, reason: first.reason, now })).changed;
  }
  // Votes that are void without the ban as well.
  await tx
    .update(votes)
    .set({ stateReason: sql`${votes.bannedReason}` })
    .where(and(eq(votes.userId, userId), BY_BAN, eq(votes.bannedState, 'void')));
  await tx
    .update(votes)
    .set({ bannedState: null, bannedReason: null })
    .where(and(eq(votes.userId, userId), isNotNull(votes.bannedState)));
  return changed;
}

export { BANNED };

/** A vote that is void by a ban and has a stored state without the ban. */
const BY_BAN = and(eq(votes.state, 'void'), eq(votes.stateReason, BANNED), isNotNull(votes.bannedState));

/** Condition for votes voided by a ban: those whose state without the ban is another. */
export const isWithoutBan = (state: SQL, reason: SQL): SQL | undefined =>
  and(BY_BAN, sql`${votes.bannedState} = ${state}`, sql`${votes.bannedReason} is not distinct from ${reason}`);

/**
 * Sets the state that votes of banned members have without the ban, while their candidates are locked. They stay void, so counters
 * are unaffected until the ban ends.
 *
 * @returns those of these votes that are void by a ban.
 */
export async function decideWithoutBan(
  tx: Tx,
  {
    voteIds,
    days,
    to,
    reason,
  }: { voteIds: readonly number[]; days: readonly string[]; to: VoteState; reason: string | null },
): Promise<Set<number>> {
  const rows = await tx
    .update(votes)
    .set({ bannedState: to, bannedReason: reason })
    .where(
      and(
        sql`${votes.id} = any(${sql.param(voteIds)}::bigint[])`,
        sql`${votes.votedOn} = any(${sql.param([...new Set(days)])}::date[])`,
        BY_BAN,
      ),
    )
    .returning({ id: votes.id });
  return new Set(rows.map(({ id }) => id));
}

/**
 * Condition: a banned member has votes that a ban of an earlier version left in another state: one of the open round without a
 * stored state without the ban, or one that is under review without the ban although its cluster was decided.
 */
export const hasVotesLeftByBan = (userId: SQL): SQL => sql`(exists (
    select 1 from votes v join voting_rounds o on o.status = 'open'
    where v.user_id = ${userId} and v.banned_state is null
      and (v.round_id = o.id or (v.round_id is null and v.created_at >= o.opens_at)))
  or exists (
    select 1 from votes v join vote_review_votes r on r.vote_id = v.id and r.voted_on = v.voted_on
      join vote_review_clusters c on c.id = r.cluster_id
    where v.user_id = ${userId} and v.state = 'void' and v.state_reason = ${BANNED} and v.banned_state = 'under_review'
      and v.banned_reason = c.signal and c.state <> 'open'))`;
