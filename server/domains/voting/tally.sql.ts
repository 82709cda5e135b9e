import { exactMoment } from './order.sql.ts';

/** A notification holds 8,000 bytes, a tally of the largest numbers 175. */
const TALLIES_PER_NOTICE = 40;

/**
 * Notifies open screens of new absolute counts, delivered at commit: the one place that writes the event `votes.changed`.
 *
 * @param tallies name of a CTE or table with `id`, `total_votes`, `votes_today` and `reached_at` of each candidate.
 * @returns a select with one row for each notification; whatever uses it has to read `said`, or nothing is sent.
 */
export const notifyTallies = (tallies: string): string => `
  select pg_notify('live', json_build_object('type', 'votes.changed', 'tallies', json_agg(
    json_build_object('candidateId', id, 'totalVotes', total_votes, 'votesToday', votes_today,
      'reachedAt', ${exactMoment('reached_at')})))::text) as said
  from (select *, row_number() over () / ${TALLIES_PER_NOTICE} as notice from ${tallies}) as gathered group by notice`;
