import { arrayOf, boolean, date, int4, int8, oneOf, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import type { VoteState } from '#server/db/tables/voting.ts';

/** Expression for the change of the number of votes in `state` when each of `changed` goes from its state `was` to `to`. */
function delta(state: VoteState, to: string, runningOnly = false): string {
  const sign = `case when ${to} = '${state}' then 1 when was = '${state}' then -1 else 0 end`;
  return `coalesce(sum(${runningOnly ? `case when running then ${sign} else 0 end` : sign}), 0)::int`;
}

/**
 * Changes the state of votes and every counter derived from it; votes that already have the state are skipped. For votes removed by
 * a reset (`live` is false), the counts that its undo would restore change instead.
 */
export const changeStates = statement({
  parameters: {
    votes: arrayOf(int8),
    /** Their UTC days, which determine the partitions. Null: all partitions. */
    days: orNull(arrayOf(date)),
    to: oneOf(['counted', 'under_review', 'void']),
    reason: orNull(text),
    now: timestamptz,
  },
  row: { id: uuid, live: boolean, votes: int4, voters: arrayOf(text) },
  text: (at) => `
    with wanted as materialized (
      select v.id, v.voted_on, v.state, coalesce(v.round_id = r.id or (v.round_id is null and v.created_at >= r.opens_at), false) as running,
        t.id as reset_id
      from votes v left join voting_rounds r on r.status = 'open'
      left join vote_resets t on t.candidate_id = v.candidate_id and t.undone_at is null and v.generation = any(t.generations)
      where v.id = any(${at.votes}) and (${at.days} is null or v.voted_on = any(${at.days})) and v.state <> ${at.to}
    ), changed as (
      update votes v set state = ${at.to}, state_reason = ${at.reason} from wanted w
      where v.id = w.id and v.voted_on = w.voted_on and (${at.days} is null or v.voted_on = any(${at.days}))
      returning v.id, v.round_id, v.candidate_id, v.user_id, v.voted_on, v.generation, w.state as was, w.running, w.reset_id
    ), noted as (
      insert into vote_changes (vote_id, round_id, candidate_id, user_id, voted_on, state, reason, changed_at, generation, was)
      select id, round_id, candidate_id, user_id, voted_on, case when reset_id is null then ${at.to} else 'withdrawn' end,
        ${at.reason}, ${at.now}, generation, was
      from changed order by id
    ), days as (
      insert into candidate_daily_votes as d (candidate_id, day, votes)
      select candidate_id, voted_on, greatest(0, ${delta('counted', at.to)}) from changed where reset_id is null
      group by candidate_id, voted_on order by candidate_id, voted_on
      on conflict (candidate_id, day) do update set votes = d.votes + (select ${delta('counted', at.to)}
        from changed c where c.reset_id is null and c.candidate_id = d.candidate_id and c.voted_on = d.day)
    ), reset_days as (
      insert into vote_reset_days as d (reset_id, day, votes)
      select reset_id, voted_on, greatest(0, ${delta('counted', at.to)}) from changed where reset_id is not null
      group by reset_id, voted_on
      on conflict (reset_id, day) do update set votes = d.votes + (select ${delta('counted', at.to)}
        from changed c where c.reset_id = d.reset_id and c.voted_on = d.day)
    ), moved as materialized (
      select candidate_id, reset_id, count(*)::int as votes, ${delta('counted', at.to)} as counted,
        ${delta('under_review', at.to, true)} as under_review, ${delta('void', at.to, true)} as void,
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
    select candidate_id as id, reset_id is null as live, votes, voters from moved`,
});

/** Sets the reason that the trigger stores with votes that this transaction deletes. */
export const setWithdrawalReason = statement({
  parameters: { reason: text },
  row: { reason: orNull(text) },
  text: (at) => `select set_config('florka.votes_withdrawn', ${at.reason}, true) as reason`,
});
