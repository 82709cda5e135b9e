import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import type { VoteState } from '#server/db/tables/voting.ts';
import { publishChange } from '#server/live/publish.ts';
import { notifyVoters } from './own-votes.service.ts';
import { publishTallies } from './tally.service.ts';
import { changeStates } from './vote-states.sql.ts';

/**
 * The moment of the newest counted vote of the candidate `voting_candidates` that a statement updates: when its present
 * total was reached. One look into the index `votes_newest_counted` for each of its generations, however many votes there are.
 */
export const NEWEST_COUNTED: SQL = sql.raw(`(select max(n.created_at) from unnest(voting_candidates.generations) as g
  cross join lateral (select v.created_at from votes v where v.candidate_id = voting_candidates.id and v.generation = g
    and v.state = 'counted' order by v.created_at desc limit 1) as n)`);

/** Says why the votes go that this transaction deletes; the trigger that notes them writes it beside each. */
export const withdrawing = (tx: Tx, reason: 'member' | 'account_removed' | 'reset') =>
  tx.execute(sql`select set_config('florka.votes_withdrawn', ${reason}, true)`);

/** Locks candidates in the order of everybody who writes votes; behind these locks votes and counters stand still. */
export async function lockCandidates(tx: Tx, ids: SQL): Promise<void> {
  await tx.execute(sql`select 1 from voting_candidates where id in ${ids} order by id for no key update`);
}

/**
 * Gives votes another state, and moves everything that follows from it: the totals of their candidates and days, the moment
 * in which a total was reached, the counts of votes that are not counted, the tallies of open screens; and tells the voters.
 * The only place that changes the state of a vote. The caller writes the audit entry in the same transaction, afterwards.
 *
 * Votes that are in this state already, or are gone, are left alone. Taking a change back by a second call restores every
 * counter as it was. Of votes that a reset took, what its undo would give back changes instead, and nobody is told.
 *
 * @param change.reason why, as the public ledger and the back office name it; null for votes that are counted by themselves.
 * @returns how many votes changed, and the candidates whose totals may have.
 */
export async function changeVoteStates(
  tx: Tx,
  change: { voteIds: readonly number[]; to: VoteState; reason: string | null; now: Date },
): Promise<{ changed: number; candidateIds: string[] }> {
  const ids = sql`any(${sql.param(change.voteIds)}::bigint[])`;
  await lockCandidates(tx, sql`(select candidate_id from votes where id = ${ids})`);
  const rows = await changeStates(tx, {
    votes: change.voteIds,
    to: change.to,
    reason: change.reason,
    now: change.now,
  });
  const changed = rows.reduce((sum, row) => sum + row.votes, 0);
  const live = rows.filter((row) => row.live);
  if (live.length === 0) return { changed, candidateIds: [] };
  const candidateIds = live.map((row) => row.id);
  await tx.execute(sql`update voting_candidates set total_reached_at = ${NEWEST_COUNTED}
    where id = any(${sql.param(candidateIds)}::uuid[])`);
  await publishTallies(tx, candidateIds, change.now);
  for (const { id, voters } of live) await notifyVoters(tx, id, { voters, to: change.to, now: change.now });
  // The curve of the last days, the order, and how many votes are not counted.
  await publishChange(tx, 'voting');
  return { changed, candidateIds };
}
