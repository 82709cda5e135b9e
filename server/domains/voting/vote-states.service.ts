import { type SQL, sql } from 'drizzle-orm';
import type { Reader, Tx } from '#server/db/client.ts';
import type { VoteState } from '#server/db/tables/voting.ts';
import { publishChange } from '#server/live/publish.ts';
import { notifyVoters } from './own-votes.service.ts';
import { publishTallies } from './tally.service.ts';
import { changeStates } from './vote-states.sql.ts';
import { readNewestCounted, readNewestDays } from './votes.sql.ts';

/**
 * The moment of the newest counted vote of the candidate `voting_candidates` that a statement updates: when its present
 * total was reached. The days and generations of the candidates say where it is, so they have to be right before this is asked for;
 * then it is one look into the index of counted votes for each generation, however many votes and months there are. A vote that
 * was carried counts as one that is there.
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

/** Says why the votes go that this transaction deletes; the trigger that notes them writes it beside each. */
export const withdrawing = (tx: Tx, reason: 'member' | 'account_removed' | 'reset' | 'carried') =>
  tx.execute(sql`select set_config('florka.votes_withdrawn', ${reason}, true)`);

/** Locks candidates in the order of everybody who writes votes; behind these locks votes and counters stand still. */
export async function lockCandidates(tx: Tx, ids: SQL): Promise<void> {
  await tx.execute(sql`select 1 from voting_candidates where id in ${ids} order by id for no key update`);
}

/** The same for the candidates of some votes. @param of.days see `changeVoteStates`. */
export const lockCandidatesOf = (
  tx: Tx,
  of: { voteIds: readonly number[]; days?: readonly string[] | undefined },
): Promise<void> =>
  lockCandidates(
    tx,
    sql`(select candidate_id from votes where id = any(${sql.param(of.voteIds)}::bigint[])
      ${of.days ? sql`and voted_on = any(${sql.param([...new Set(of.days)])}::date[])` : sql``})`,
  );

/** Candidates whose votes one transaction may change: each takes no vote meanwhile, and has its own tallies and notices. */
const TOGETHER = 10;

/**
 * Parts of a list that are about no more than ten candidates each, in the order of the candidates. For votes whose states change:
 * a finding about a network may be about all candidates at once.
 */
export function batchByCandidates<T extends { candidateId: string }>(rows: readonly T[]): T[][] {
  const groups = [...Map.groupBy(rows, ({ candidateId }) => candidateId)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Array.from({ length: Math.ceil(groups.length / TOGETHER) }, (_, part) =>
    groups.slice(part * TOGETHER, (part + 1) * TOGETHER).flatMap(([, some]) => some),
  );
}

/**
 * Gives votes another state, and moves everything that follows from it: the totals of their candidates and days, the moment
 * in which a total was reached, the counts of votes that are not counted, the tallies of open screens; and tells the voters.
 * The only place that changes the state of a vote. The caller writes the audit entry in the same transaction, afterwards.
 *
 * Votes that are in this state already, or are gone, are left alone. Taking a change back by a second call restores every
 * counter as it was. Of votes that a reset took, what its undo would give back changes instead, and nobody is told.
 *
 * @param change.days UTC days of these votes, so that they are looked for in those months only; left out where nobody knows them.
 * @param change.reason why, as the public ledger and the back office name it; null for votes that are counted by themselves.
 * @returns how many votes changed, and the candidates whose totals may have.
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
  await tx.execute(sql`update voting_candidates set total_reached_at = ${await newestCounted(tx, candidateIds)}
    where id = any(${sql.param(candidateIds)}::uuid[])`);
  await publishTallies(tx, candidateIds, change.now);
  for (const { id, voters } of live) await notifyVoters(tx, id, { voters, to: change.to, now: change.now });
  // The curve of the last days, the order, and how many votes are not counted.
  await publishChange(tx, 'voting');
  return { changed, candidateIds };
}
