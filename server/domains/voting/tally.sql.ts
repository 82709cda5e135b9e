/** A notification holds 8,000 bytes, a tally of the largest numbers 130. */
const TALLIES_PER_NOTICE = 50;

/**
 * Notifies open screens of new absolute counts, delivered at commit: the one place that writes the event `votes.changed`.
 *
 * @param tallies name of a CTE or table with `id`, `total_votes` and `votes_today` of each candidate.
 * @returns a select with one row for each notification; whatever uses it has to read `said`, or nothing is sent.
 */
export const notifyTallies = (tallies: string): string => `
  select pg_notify('live', json_build_object('type', 'votes.changed', 'tallies', json_agg(
    json_build_object('candidateId', id, 'totalVotes', total_votes, 'votesToday', votes_today)))::text) as said
  from (select *, row_number() over () / ${TALLIES_PER_NOTICE} as notice from ${tallies}) as gathered group by notice`;
