import { COMPETING_SQL, votesOrder } from '#server/domains/voting/ranking-order.sql.ts';

/** Number of candidates whose ranks are compared: those ranked lower now are not considered for earlier days. */
const FIELD = 500;
/** Maximum number of days of a round that are shown. */
const DAYS = 60;

const ORDER = votesOrder();

/**
 * Ranks of candidates on each UTC day of the open round. The total at the end of a day is the current total without the votes of
 * later days, so the last day always agrees with the ranking, whatever was withdrawn or voided meanwhile. For equal totals on a
 * past day the order is unknown: they share a rank.
 *
 * @param day the last one: today, or the day on which the round ends.
 * @param which condition on `placed`: the rows to return.
 */
export const placesByDay = (day: string, which: string): string => `
  with round as (
    select number, (opens_at at time zone 'UTC')::date as first from voting_rounds where status = 'open'
  ), days as (
    select g::date as day from round, generate_series(greatest(first, ${day} - ${DAYS - 1}), ${day}, interval '1 day') as g
  ), field as (
    select id, total_votes, row_number() over (order by ${ORDER})::int as place
    from voting_candidates where ${COMPETING_SQL} order by ${ORDER} limit ${FIELD}
  ), totals as (
    select f.id, f.place, d.day, f.total_votes - coalesce(sum(v.votes) over later, 0) as total
    from field f cross join days d left join candidate_daily_votes v on v.candidate_id = f.id and v.day = d.day
    window later as (partition by f.id order by d.day desc rows between unbounded preceding and 1 preceding)
  ), placed as (
    select id, place, day, greatest(total, 0)::int as total,
      case when day = ${day} then place else rank() over (partition by day order by total desc)::int end as rank
    from totals
  )
  select r.number as round, c.id, c.token_name as "tokenName", c.token_symbol as "tokenSymbol", c.token_slug as "tokenSlug",
    c.image_url as "imageUrl", p.day, coalesce(p.total, 0) as total, coalesce(p.rank, 1) as rank
  from placed p join voting_candidates c on c.id = p.id cross join round r
  where ${which} order by p.place, p.day`;
