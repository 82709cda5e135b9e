import { arrayOf, boolean, int4, oneOf, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import { exactMoment } from './ranking-order.sql.ts';
import { notifyTallies } from './tally.sql.ts';

/**
 * Casts many ballots in one statement, hence one transaction.
 *
 * 1. counts each attempt of each voter against the rate limits; within a group the first attempts pass, as if they had come
 *    sequentially;
 * 2. then, never before, locks the open round, as every voter does: a process that closes it waits for this statement, or this
 *    statement waits for the closing and then finds no open round;
 * 3. then locks the candidates in the order of their ids, so that totals are exact and groups can't deadlock, whatever plan each of
 *    them uses;
 * 4. then, with only member rows left to wait for, reads the database's clock: this moment decides whether the round has ended, the
 *    UTC day, and when a total was reached;
 * 5. then, in the lock order of the removal of members too, locks the voters' rows: members removed or banned meanwhile are
 *    excluded without failing the votes of others;
 * 6. inserts the votes that the daily rule (unique candidate, day, member) permits, and a row in vote_changes for each; a vote of
 *    that day that a reset removed does not conflict, and is not restored;
 * 7. increments the totals and the day's counters by the inserted votes;
 * 8. publishes the new absolute tallies, delivered at commit;
 * 9. returns an outcome for each ballot, in order. Of two equal ballots in one group the first is cast, the second is 'already'.
 *    A ballot for a certified winner is 'ended', as for every other candidate of its round, also when the closing certified it while
 *    this statement waited; the statement then sees the candidate as before the closing, and no round.
 */
export const castVotes = statement({
  prepared: 'cast_votes',
  parameters: {
    candidates: arrayOf(uuid),
    /** Same length and order. */
    voters: arrayOf(uuid),
    /** Keyed hashes of each voter's networks, in hexadecimal, separated by commas; same length. */
    networks: arrayOf(text),
    /** An instant set by tests; null for the database's clock. */
    fixedNow: orNull(timestamptz),
    /** The two rate limits. */
    minuteHits: int4,
    minuteSeconds: int4,
    dayHits: int4,
    daySeconds: int4,
    /** True when voters must be confirmed, by an admin or by mail. */
    confirmedOnly: boolean,
  },
  row: {
    /** Of the ballot in the parameters, counted from 1. */
    index: int4,
    outcome: oneOf(['cast', 'already', 'unknown', 'limited', 'gone', 'unconfirmed', 'ended', 'paused']),
    totalVotes: int4,
    votesToday: int4,
    reachedAt: orNull(text),
    retryAfter: int4,
    /** The moment of the group, by the database's clock. */
    at: timestamptz,
  },
  text: (given) => `
with requested as materialized (
  select candidate_id, user_id, networks, index::int as index,
         row_number() over (partition by candidate_id, user_id order by index) as occurrence,
         row_number() over (partition by user_id order by index) as nth
  from unnest(${given.candidates}, ${given.voters}, ${given.networks}) with ordinality as t (candidate_id, user_id, networks, index)
), attempts as materialized (
  select user_id, count(*)::int as hits from requested group by user_id
), started as materialized (
  select coalesce(${given.fixedNow}, statement_timestamp()) as at
), counted as (
  insert into vote_tries as l (user_id, minute_hits, minute_ends, day_hits, day_ends)
  select user_id, hits, at + make_interval(secs => ${given.minuteSeconds}), hits, at + make_interval(secs => ${given.daySeconds})
  from attempts cross join started order by user_id
  on conflict (user_id) do update set
    minute_hits = case when l.minute_ends <= (select at from started) then excluded.minute_hits else l.minute_hits + excluded.minute_hits end,
    minute_ends = case when l.minute_ends <= (select at from started) then excluded.minute_ends else l.minute_ends end,
    day_hits = case when l.day_ends <= (select at from started) then excluded.day_hits else l.day_hits + excluded.day_hits end,
    day_ends = case when l.day_ends <= (select at from started) then excluded.day_ends else l.day_ends end
  returning user_id, minute_hits, minute_ends, day_hits, day_ends
), limited as materialized (
  select a.index, ceil(extract(epoch from greatest(
    case when c.minute_hits - t.hits + a.nth > ${given.minuteHits} then c.minute_ends end,
    case when c.day_hits - t.hits + a.nth > ${given.dayHits} then c.day_ends end) - (select at from started)))::int as retry_after
  from requested a join attempts t using (user_id) join counted c using (user_id)
  where c.minute_hits - t.hits + a.nth > ${given.minuteHits} or c.day_hits - t.hits + a.nth > ${given.dayHits}
), round as materialized (
  select id, closes_at, network_key, next_days from voting_rounds
  where status = 'open' and (select count(*) from counted) > 0 for share
), open as materialized (
  select id, generations, generations[cardinality(generations)] as generation from voting_candidates
  where id = any(${given.candidates}) and is_active and deleted_at is null and certified_round_id is null
    and (select count(*) from round) >= 0
  order by id for no key update
), moment as materialized (
  select coalesce(${given.fixedNow}, clock_timestamp()) as at from (select count(*) from open) as locked
), today as materialized (
  select m.at, (m.at at time zone 'UTC')::date as day, r.id as round_id, r.network_key,
    case when r.closes_at > m.at then null when r.next_days is null then 'paused' else 'ended' end as over
  from moment m left join round r on true
), voters as materialized (
  select id, not ${given.confirmedOnly} or email_verified or confirmed_at is not null as may from users
  where id = any(${given.voters}) and (banned_until is null or banned_until <= (select at from moment))
  order by id for key share
), inserted as (
  insert into votes (candidate_id, user_id, voted_on, created_at, round_id, generation, networks)
  select a.candidate_id, a.user_id, d.day, d.at, d.round_id, o.generation,
    (select array_agg(substring(sha256(d.network_key || decode(n.hash, 'hex')) for 16) order by n.index)
     from unnest(string_to_array(a.networks, ',')) with ordinality as n (hash, index))
  from requested a join open o on o.id = a.candidate_id join voters w on w.id = a.user_id and w.may
    join today d on d.over is null
  where a.occurrence = 1 and not exists (select 1 from limited l where l.index = a.index)
  on conflict (candidate_id, voted_on, user_id) do update set id = default, created_at = excluded.created_at,
    round_id = excluded.round_id, generation = excluded.generation, networks = excluded.networks, ip_hash = null,
    state = 'counted', state_reason = null, banned_state = null, banned_reason = null
    where not exists (select 1 from open o where o.id = votes.candidate_id and votes.generation = any(o.generations))
  returning id, round_id, candidate_id, user_id
), changes as (
  insert into vote_changes (vote_id, round_id, candidate_id, user_id, voted_on, state, changed_at)
  select i.id, i.round_id, i.candidate_id, i.user_id, d.day, 'counted', d.at from inserted i cross join today d
), raised as materialized (
  select candidate_id, count(*)::int as votes from inserted group by candidate_id
), totals as (
  update voting_candidates c set total_votes = c.total_votes + r.votes,
    total_reached_at = greatest(c.total_reached_at, (select at from moment))
  from raised r where c.id = r.candidate_id
  returning c.id, c.total_votes, c.total_reached_at
), days as (
  insert into candidate_daily_votes as d (candidate_id, day, votes)
  select candidate_id, t.day, votes from raised cross join today t order by candidate_id
  on conflict (candidate_id, day) do update set votes = d.votes + excluded.votes
  returning d.candidate_id, d.votes
), tallies as materialized (
  select t.id, t.total_votes, d.votes as votes_today, t.total_reached_at as reached_at
  from totals t join days d on d.candidate_id = t.id
), reported as materialized (${notifyTallies('tallies')}
)
select coalesce(a.index, 0) as index,
  case when i.user_id is not null and a.occurrence = 1 then 'cast'
       when w.id is null then 'gone'
       when o.id is null and (select c.certified_round_id is null and d.over is null from voting_candidates c
         where c.id = a.candidate_id and c.is_active and c.deleted_at is null) is not false then 'unknown'
       when o.id is null then coalesce(d.over, 'ended')
       when d.over is not null then coalesce(d.over, 'paused')
       when l.index is not null and not exists (
         select 1 from votes v where v.candidate_id = a.candidate_id and v.voted_on = d.day and v.user_id = a.user_id
           and v.generation = any(o.generations)) then 'limited'
       when not w.may then 'unconfirmed'
       else 'already' end as outcome,
  coalesce(t.total_votes, 0) as "totalVotes", coalesce(t.votes_today, 0) as "votesToday",
  ${exactMoment('t.reached_at')} as "reachedAt", coalesce(l.retry_after, 0) as "retryAfter", d.at
from requested a
cross join today d
left join inserted i on i.candidate_id = a.candidate_id and i.user_id = a.user_id
left join open o on o.id = a.candidate_id
left join voters w on w.id = a.user_id
left join limited l on l.index = a.index
left join tallies t on t.id = a.candidate_id
cross join (select count(notification) from reported) as all_reported`,
});
