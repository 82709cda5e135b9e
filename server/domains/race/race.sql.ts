import { date, int4, int8, oneOf, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** Candidates whose places are compared: nobody who is further behind now is looked at for an earlier day. */
const FIELD = 500;
/** Most days of a round that are shown. */
const DAYS = 60;

/** The order of the ranking (`byVotes` of the domain voting). */
const ORDER = 'total_votes desc, total_reached_at asc nulls first, created_at asc, id asc';
const COMPETING_SQL = 'is_active and deleted_at is null and certified_round_id is null';

/**
 * Places of candidates on each UTC day of the open round. What a candidate had at the end of a day is what it has now without
 * the votes of later days, so the last day always agrees with the ranking, whatever was taken back or voided meanwhile. Of
 * equal totals on a past day nobody knows which came first: they share a place.
 *
 * @param which condition on `placed`: the rows that are answered.
 */
const placesBy = (day: string, which: string) => `
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

const PLACE_ROW = {
  round: int4,
  id: uuid,
  tokenName: text,
  tokenSymbol: text,
  tokenSlug: text,
  imageUrl: orNull(text),
  day: orNull(date),
  total: int4,
  rank: int4,
};

/** The first candidates of now, each on each day. */
export const readRace = statement({
  parameters: { today: date, shown: int4 },
  row: PLACE_ROW,
  text: (at) => placesBy(`${at.today}`, `p.place <= ${at.shown}`),
});

/** One candidate on each day. */
export const readRanks = statement({
  parameters: { today: date, candidate: uuid },
  row: PLACE_ROW,
  text: (at) => placesBy(`${at.today}`, `p.id = ${at.candidate}`),
});

/** A member's vote of this day for a candidate, with its place among the counted ones and that of the candidate. */
export const readVoteForTicket = statement({
  parameters: { candidate: uuid, userId: uuid, today: date },
  row: { voteId: int8, number: int4, rank: int4, round: orNull(int4) },
  text: (at) => `
    select coalesce(v.id, 0) as "voteId",
      greatest(1, c.total_votes - (select count(*) from votes l
        where l.candidate_id = c.id and l.generation = any(c.generations) and l.state = 'counted'
          and l.voted_on >= ${at.today} and l.created_at > v.created_at))::int as number,
      (select count(*)::int + 1 from voting_candidates o
        where o.is_active and o.deleted_at is null and o.certified_round_id is null
          and (o.total_votes > c.total_votes or (o.total_votes = c.total_votes and o.id <> c.id
            and (coalesce(o.total_reached_at, '-infinity'), o.created_at, o.id)
              < (coalesce(c.total_reached_at, '-infinity'), c.created_at, c.id)))) as rank,
      (select r.number from voting_rounds r where r.status = 'open') as round
    from present_votes v join voting_candidates c on c.id = v.candidate_id
    where v.candidate_id = ${at.candidate} and v.user_id = ${at.userId} and v.voted_on = ${at.today}`,
});

/** A kept ticket and what became of its vote and its candidate; the slug is that of the page that shows the token now. */
export const readTicket = statement({
  // A plan for one ticket looks at each month; one that is kept knows them.
  prepared: 'read_ticket',
  parameters: { id: uuid },
  row: {
    id: uuid,
    userId: uuid,
    voteId: int8,
    candidateId: uuid,
    tokenName: text,
    tokenSymbol: text,
    imageUrl: orNull(text),
    tokenSlug: orNull(text),

    day: date,
    number: int4,
    rank: int4,
    round: orNull(int4),
    keptAt: timestamptz,
    state: orNull(oneOf(['counted', 'under_review', 'void'])),
  },
  text: (at) => `
    select t.id, t.user_id as "userId", t.vote_id as "voteId", t.candidate_id as "candidateId", c.token_name as "tokenName",
      c.token_symbol as "tokenSymbol", c.image_url as "imageUrl",
      case when c.is_active and c.deleted_at is null then c.token_slug else (
        select n.id::text from next_projects n join voting_rounds r on r.id = n.voting_round_id
        where r.winner_candidate_id = c.id and n.is_active and n.deleted_at is null and n.status in ('published', 'launched')
        limit 1) end as "tokenSlug",
      t.voted_on as day, t.number, t.rank, t.round_number as round, t.kept_at as "keptAt",
      coalesce(v.state, case when t.carried_generation = any(c.generations) then t.carried_state end) as state
    from vote_tickets t join voting_candidates c on c.id = t.candidate_id
    left join present_votes v on v.id = t.vote_id and v.voted_on = t.voted_on
    where t.id = ${at.id}`,
});
