import { int4, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import { BANNED } from './banned-votes.ts';

/**
 * Moves the votes of a reset from before generations back, without those whose member voted again on the same day, and raises the counters of their
 * days. Bans are caught up with: votes of the open round are void while their member is banned for good or for some days, and
 * are what they were when somebody opened the account meanwhile.
 *
 * @returns how many came back, and how many of them in each state; under review and void: of the open round only.
 */
export const unarchiveVotes = statement({
  parameters: { candidateId: uuid, resetId: uuid, at: timestamptz },
  row: { votes: int4, counted: int4, underReview: int4, void: int4 },
  text: (given) => `
    with kept as (
      delete from archived_votes where reset_id = ${given.resetId}
      returning user_id, voted_on, created_at, state, state_reason, round_id, banned_state, banned_reason
    ), seen as (
      select k.*, r.id is not null as running, u.banned_until,
        k.state <> 'void' and r.id is not null and coalesce(u.banned_until > ${given.at}, false) as banned,
        k.state = 'void' and k.state_reason = '${BANNED}' and k.banned_state is not null and u.banned_until is null as opened
      from kept k join users u on u.id = k.user_id
      left join voting_rounds r on r.status = 'open'
        and (k.round_id = r.id or (k.round_id is null and k.created_at >= r.opens_at))
    ), given as (
      insert into votes (candidate_id, user_id, voted_on, created_at, round_id, state, state_reason, banned_state, banned_reason, generation)
      select ${given.candidateId}, user_id, voted_on, created_at, round_id,
        case when banned then 'void' when opened then banned_state else state end,
        case when banned then '${BANNED}' when opened then banned_reason else state_reason end,
        case when banned then state when opened then null else banned_state end,
        case when banned then state_reason when opened then null else banned_reason end,
        (select generations[cardinality(generations)] from voting_candidates where id = ${given.candidateId})
      from seen
      on conflict (candidate_id, voted_on, user_id) do nothing
      returning id, round_id, candidate_id, user_id, voted_on, state
    ), noted as (
      insert into vote_changes (vote_id, round_id, candidate_id, user_id, voted_on, state, reason, changed_at)
      select id, round_id, candidate_id, user_id, voted_on, state, 'reset_undone', ${given.at} from given order by id
    ), days as (
      insert into candidate_daily_votes as d (candidate_id, day, votes)
      select ${given.candidateId}, voted_on, count(*)::int from given where state = 'counted' group by voted_on
      on conflict (candidate_id, day) do update set votes = d.votes + excluded.votes
    )
    select count(*)::int as votes, (count(*) filter (where g.state = 'counted'))::int as counted,
      (count(*) filter (where g.state = 'under_review' and s.running))::int as "underReview",
      (count(*) filter (where g.state = 'void' and s.running))::int as void
    from given g join seen s on s.user_id = g.user_id and s.voted_on = g.voted_on`,
});
