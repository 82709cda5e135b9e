import { inArray, type SQL, sql } from 'drizzle-orm';
import type { Reader, Tx } from '#server/db/client.ts';
import { type VoteState, votingCandidates } from '#server/db/tables/voting.ts';
import { publishChange } from '#server/live/publish.ts';
import { notifyVoters } from './own-votes.service.ts';
import { publishTallies } from './tally.service.ts';
import { changeStates, setWithdrawalReason } from './vote-states.sql.ts';
import { readNewestCounted, readNewestDays } from './votes.sql.ts';

/**
 * Expression for the time of the newest counted vote of the candidate `voting_candidates` that a statement updates, which is when
 * its current total was reached. Uses the counters of the candidates' days and generations, which therefore must be up to date;
 * then it is one index lookup per generation, independent of the number of votes and partitions. Carried votes are included.
 *
 * @param candidateIds those that the statement updates, locked.
 * @returns an expression for that one statement; null where no vote counts.
 */
export async function newestCounted(tx: Reader, candidateIds: readonly string[]): Promise<SQL> {
  const newest = await readNewestDays(tx, { candidates: candidateIds });
  const found = newest.flatMap(({ id, carriedAt }) => (carriedAt ? [{ id, at: carriedAt }] : []));
  for (const [day, of] of Map.groupBy(newest, (one) => one.day))
    found.push(...(await readNewestCounted(tx, { candidates: of.map(({ id }) => id), day })));
  const [ids, moments] = [found.map(({ id }) => id), found.map(({ at }) => at)];
  return sql`(select max(n.at) from unnest(${sql.param(ids)}::uuid[], ${sql.param(moments)}::timestamptz[]) as n (id, at)
    where n.id = voting_candidates.id)`;
}

/** Stores when the present totals of candidates were reached, after their counters have changed. */
export async function updateReachedAt(tx: Tx, candidateIds: string[]): Promise<void> {
  await tx
    .update(votingCandidates)
    .set({ totalReachedAt: await newestCounted(tx, candidateIds) })
    .where(inArray(votingCandidates.id, candidateIds));
}

/** Sets the reason for the deletion of votes in this transaction; the trigger that records the deletions stores it with each. */
export const withdrawing = (tx: Tx, reason: 'member' | 'account_removed' | 'reset' | 'carried') =>
  setWithdrawalReason(tx, { reason });

/** Locks candidates in the lock order of all writers of votes; with these locks votes and counters do not change. */
export async function lockCandidates(tx: Tx, ids: SQL): Promise<void> {
  await tx
    .select({ id: votingCandidates.id })
    .from(votingCandidates)
    .where(sql`${votingCandidates.id} in ${ids}`)
    .orderBy(votingCandidates.id)
    .for('no key update');
}

/** Locks the candidates of these votes. @param of.days see `changeVoteStates`. */
export const lockCandidatesOf = (
  tx: Tx,
  of: { voteIds: readonly number[]; days?: readonly string[] | undefined },
): Promise<void> =>
  lockCandidates(
    tx,
    sql`(select candidate_id from votes where id = any(${sql.param(of.voteIds)}::bigint[])
      ${of.days ? sql`and voted_on = any(${sql.param([...new Set(of.days)])}::date[])` : sql``})`,
  );

/**
 * Limit of candidates whose votes one transaction may change: each is locked against new votes, and has its own tallies and
 * notices.
 */
const TOGETHER = 10;

/**
 * Batches of a list with no more than ten candidates each, in the order of the candidates. For changes of the state of votes: a
 * finding about a network may concern all candidates.
 */
export function batchByCandidates<T extends { candidateId: string }>(rows: readonly T[]): T[][] {
  const groups = [...Map.groupBy(rows, ({ candidateId }) => candidateId)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Array.from({ length: Math.ceil(groups.length / TOGETHER) }, (_, part) =>
    groups.slice(part * TOGETHER, (part + 1) * TOGETHER).flatMap(([, some]) => some),
  );
}

/**
 * Changes the state of votes and everything derived from it: the totals of their candidates and days, the time at which a total was
 * reached, the counts of uncounted votes, and the tallies of open screens; and notifies the voters. The only function that changes
 * the state of a vote. The caller writes the audit entry in the same transaction, afterwards.
 *
 * Votes that already have this state, or no longer exist, are skipped. Reverting a change by a second call restores every counter.
 * For votes removed by a reset, the counts that its undo would restore change instead, without notifications.
 *
 * @param change.days UTC days of these votes, to limit the search to their partitions; omitted when unknown.
 * @param change.reason reason code for the vote ledger and the back office; null for votes that count without a decision.
 * @returns the number of changed votes, and the candidates whose totals may have changed.
 */
export async function changeVoteStates(
  tx: Tx,
  change: { voteIds: readonly number[]; days?: readonly string[]; to: VoteState; reason: string | null; now: Date },
): Promise<{ changed: number; candidateIds: string[] }> {
  await lockCandidatesOf(tx, change);
  const rows = await changeStates(tx, {
    votes: change.voteIds,
    days: change.days ? [...new Set(change.days)] : null,
    to: change.to,
    reason: change.reason,
    now: change.now,
  });
  const changed = rows.reduce((sum, row) => sum + row.votes, 0);
  const live = rows.filter((row) => row.live);
  if (live.length === 0) return { changed, candidateIds: [] };
  const candidateIds = live.map((row) => row.id);
  await updateReachedAt(tx, candidateIds);
  await publishTallies(tx, candidateIds, change.now);
  for (const { id, voters } of live) await notifyVoters(tx, id, { voters, to: change.to, now: change.now });
  // Affects the chart of the last days, the ranking, and the number of uncounted votes.
  await publishChange(tx, 'voting');
  return { changed, candidateIds };
}
