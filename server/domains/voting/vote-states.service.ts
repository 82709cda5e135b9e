import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import type { VoteState } from '#server/db/tables/voting.ts';
import { publishChange } from '#server/live/publish.ts';
import { notifyVoters } from './own-votes.service.ts';
import { publishTallies } from './tally.service.ts';

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
  const { rows } = await tx.execute<{ id: string; live: boolean; votes: number; voters: string[] }>(sql`
    with wanted as materialized (
      select v.id, v.state, v.round_id is not distinct from r.id or (v.round_id is null and v.created_at >= r.opens_at) as running,
        t.id as reset_id
      from votes v left join voting_rounds r on r.status = 'open'
      left join vote_resets t on t.candidate_id = v.candidate_id and t.undone_at is null and v.generation = any(t.generations)
      where v.id = ${ids} and v.state <> ${change.to}
    ), changed as (
      update votes v set state = ${change.to}, state_reason = ${change.reason} from wanted w where v.id = w.id
      returning v.id, v.round_id, v.candidate_id, v.user_id, v.voted_on, v.generation, w.state as was, w.running, w.reset_id
    ), noted as (
      insert into vote_changes (vote_id, round_id, candidate_id, user_id, voted_on, state, reason, changed_at, generation, was)
      select id, round_id, candidate_id, user_id, voted_on, case when reset_id is null then ${change.to} else 'withdrawn' end,
        ${change.reason}, ${change.now.toISOString()}, generation, was
      from changed order by id
    ), days as (
      insert into candidate_daily_votes as d (candidate_id, day, votes)
      select candidate_id, voted_on, greatest(0, ${delta('counted', change.to)}) from changed where reset_id is null
      group by candidate_id, voted_on order by candidate_id, voted_on
      on conflict (candidate_id, day) do update set votes = d.votes + (select ${delta('counted', change.to)}
        from changed c where c.reset_id is null and c.candidate_id = d.candidate_id and c.voted_on = d.day)
    ), reset_days as (
      insert into vote_reset_days as d (reset_id, day, votes)
      select reset_id, voted_on, greatest(0, ${delta('counted', change.to)}) from changed where reset_id is not null
      group by reset_id, voted_on
      on conflict (reset_id, day) do update set votes = d.votes + (select ${delta('counted', change.to)}
        from changed c where c.reset_id = d.reset_id and c.voted_on = d.day)
    ), moved as materialized (
      select candidate_id, reset_id, count(*)::int as votes, ${delta('counted', change.to)} as counted,
        ${delta('under_review', change.to, true)} as under_review, ${delta('void', change.to, true)} as void,
        array_agg(distinct user_id::text) as voters
      from changed group by candidate_id, reset_id
    ), totals as (
      update voting_candidates c set total_votes = c.total_votes + m.counted,
        votes_under_review = c.votes_under_review + m.under_review, votes_void = c.votes_void + m.void
      from moved m where m.reset_id is null and c.id = m.candidate_id
    ), put_away as (
      update vote_resets t set total_votes = t.total_votes + m.counted,
        votes_under_review = t.votes_under_review + m.under_review, votes_void = t.votes_void + m.void
      from moved m where t.id = m.reset_id
    )
    select candidate_id as id, reset_id is null as live, votes, voters from moved`);
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

/** By how much the number of votes in `state` grows when each of `changed`, which `was` something else, becomes `to`. */
function delta(state: VoteState, to: VoteState, runningOnly = false): SQL {
  const sign = state === to ? sql.raw('1') : sql.raw(`case when was = '${state}' then -1 else 0 end`);
  return sql`coalesce(sum(${runningOnly ? sql`case when running then ${sign} else 0 end` : sign}), 0)::int`;
}
