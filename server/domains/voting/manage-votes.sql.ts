import { arrayOf, int4, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { command, statement } from '#server/db/statement.ts';
import { BANNED } from './banned-votes.ts';

/**
 * Moves the archived votes of a reset from before generations back, except those whose member voted again on the same day, and
 * increments the counters of their days. Bans since then are applied: votes of the open round are void while their member is
 * banned, and have their previous state when the account was reopened meanwhile.
 *
 * @returns the number of restored votes, and how many are in each state; under review and void: of the open round only.
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

/** Candidates whose counters differ from their votes; of one candidate, or of all. */
export const findMiscounted = statement({
  parameters: { only: orNull(uuid) },
  row: { id: uuid, tokenName: text, total: int4, counted: int4, days: int4, underReview: int4, void: int4 },
  text: (at) => `
  with counted as (
    select candidate_id, day, sum(votes)::int as votes from (
      select candidate_id, voted_on as day, count(*) as votes from present_votes
      where state = 'counted' and (${at.only} is null or candidate_id = ${at.only}) group by 1, 2
      union all
      select k.candidate_id, k.day, k.votes from carried_votes k
      join voting_candidates c on c.id = k.candidate_id and k.generation = any(c.generations)
      where ${at.only} is null or k.candidate_id = ${at.only}
    ) all_of_them group by 1, 2
  ), stored as (
    select candidate_id, day, votes from candidate_daily_votes
    where votes <> 0 and (${at.only} is null or candidate_id = ${at.only})
  ), days as (
    select coalesce(c.candidate_id, s.candidate_id) as candidate_id, coalesce(sum(c.votes), 0)::int as counted,
      count(*) filter (where c.votes is distinct from s.votes)::int as wrong
    from counted c full join stored s on s.candidate_id = c.candidate_id and s.day = c.day group by 1
  ), uncounted as (
    select v.candidate_id, (count(*) filter (where v.state = 'under_review'))::int as under_review,
      (count(*) filter (where v.state = 'void'))::int as void
    from present_votes v join voting_rounds r on r.status = 'open'
      and (v.round_id = r.id or (v.round_id is null and v.created_at >= r.opens_at))
    where v.state <> 'counted' and (${at.only} is null or v.candidate_id = ${at.only}) group by 1
  )
  select v.id, v.token_name as "tokenName", v.total_votes as total, coalesce(d.counted, 0) as counted,
    coalesce(d.wrong, 0) as days, coalesce(u.under_review, 0) as "underReview", coalesce(u.void, 0) as void
  from voting_candidates v left join days d on d.candidate_id = v.id left join uncounted u on u.candidate_id = v.id
  where (${at.only} is null or v.id = ${at.only})
    and (v.total_votes <> coalesce(d.counted, 0) or coalesce(d.wrong, 0) > 0
      or v.votes_under_review <> coalesce(u.under_review, 0) or v.votes_void <> coalesce(u.void, 0))
  order by v.token_name, v.id`,
});

/** Stores the daily counts of a candidate with its reset. */
export const storeResetDays = command({
  parameters: { reset: uuid, candidate: uuid },
  text: (at) => `
    insert into vote_reset_days (reset_id, day, votes)
    select ${at.reset}, day, votes from candidate_daily_votes where candidate_id = ${at.candidate} and votes > 0`,
});

/** Adds the daily counts of a reset to those of its candidate again. */
export const restoreResetDays = command({
  parameters: { reset: uuid, candidate: uuid },
  text: (at) => `
    insert into candidate_daily_votes as d (candidate_id, day, votes)
    select ${at.candidate}, day, votes from vote_reset_days where reset_id = ${at.reset}
    on conflict (candidate_id, day) do update set votes = d.votes + excluded.votes`,
});

/** Counts the votes of a candidate on each day again; the stored counts were deleted before. */
export const recountDays = command({
  parameters: { candidate: uuid },
  text: (at) => `
    insert into candidate_daily_votes (candidate_id, day, votes)
    select ${at.candidate}, day, sum(votes)::int from (
      select voted_on as day, count(*) as votes from present_votes
      where candidate_id = ${at.candidate} and state = 'counted' group by 1
      union all
      select k.day, k.votes from carried_votes k join voting_candidates c on c.id = k.candidate_id
        and k.generation = any(c.generations) where k.candidate_id = ${at.candidate}
    ) all_of_them group by day`,
});

/** Two statements, because the index votes_newest_counted finds counted votes only. */
const purge = (state: string) =>
  ({
    parameters: { candidate: uuid, generations: arrayOf(int4), max: int4 },
    text: (at: { candidate: string; generations: string; max: string }) => `
      delete from votes where (id, voted_on) in (
        select id, voted_on from votes where candidate_id = ${at.candidate} and generation = any(${at.generations})
          and ${state} limit ${at.max})`,
  }) as const;

/** Deletes counted votes of some generations of a candidate. */
export const purgeCounted = command(purge("state = 'counted'"));

/** Deletes the others of these generations. */
export const purgeUncounted = command(purge("state <> 'counted'"));
