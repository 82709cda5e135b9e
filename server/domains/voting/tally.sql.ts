import { arrayOf, int4, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import { exactMoment } from './ranking-order.sql.ts';

/** A notification is limited to 8,000 bytes; a tally with the largest numbers takes 175. */
const TALLIES_PER_NOTICE = 40;

/**
 * Publishes new absolute counts to open screens, delivered at commit: the only place that writes the event `votes.changed`.
 *
 * @param tallies name of a CTE or table with `id`, `total_votes`, `votes_today` and `reached_at` of each candidate.
 * @returns a select with one row per notification; the enclosing query has to read `notification`, otherwise nothing is sent.
 */
export const notifyTallies = (tallies: string): string => `
  select pg_notify('live', json_build_object('type', 'votes.changed', 'tallies', json_agg(
    json_build_object('candidateId', id, 'totalVotes', total_votes, 'votesToday', votes_today,
      'reachedAt', ${exactMoment('reached_at')})))::text) as notification
  from (select *, row_number() over () / ${TALLIES_PER_NOTICE} as notice from ${tallies}) as gathered group by notice`;

/** Reads the current counts of candidates and publishes them. */
export const notifyOfTallies = statement({
  parameters: { candidates: arrayOf(uuid), fixedNow: orNull(timestamptz) },
  row: { candidateId: uuid, totalVotes: int4, votesToday: int4, reachedAt: orNull(text) },
  text: (at) => `
    with tallies as materialized (
      select c.id, c.total_votes, coalesce(d.votes, 0) as votes_today, c.total_reached_at as reached_at
      from voting_candidates c left join candidate_daily_votes d on d.candidate_id = c.id
        and d.day = (select (coalesce(${at.fixedNow}, clock_timestamp()) at time zone 'UTC')::date)
      where c.id = any(${at.candidates}) and c.is_active and c.deleted_at is null
    ), reported as materialized (${notifyTallies('tallies')})
    select id as "candidateId", total_votes as "totalVotes", votes_today as "votesToday", ${exactMoment('reached_at')} as "reachedAt"
    from tallies cross join (select count(notification) from reported) as all_reported`,
});
