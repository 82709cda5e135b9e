import { arrayOf, boolean, date, int4, int8, oneOf, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import { placesByDay } from '#server/domains/voting/rounds/places-by-day.service.ts';

const PLACE_ROW = {
  round: int4,
  id: uuid,
  tokenName: text,
  tokenSymbol: text,
  tokenSlug: orNull(text),
  imageUrl: orNull(text),
  day: orNull(date),
  total: int4,
  rank: int4,
};

/** The candidates that are first now, on each day. */
export const readRace = statement({
  parameters: { today: date, shown: int4 },
  row: PLACE_ROW,
  text: (at) => placesByDay(`${at.today}`, `p.place <= ${at.shown}`),
});

/** One candidate on each day. */
export const readRanks = statement({
  parameters: { today: date, candidate: uuid },
  row: PLACE_ROW,
  text: (at) => placesByDay(`${at.today}`, `p.id = ${at.candidate}`),
});

/** Ended rounds with a stored race, newest first, and whether one is open. */
export const readRounds = statement({
  parameters: { max: int4 },
  row: { number: int4, open: boolean },
  text: (at) => `
    select number, status = 'open' as open from voting_rounds r
    where status = 'open' or exists (select 1 from round_races k where k.round_id = r.id)
    order by number desc limit ${at.max}`,
});

/** The stored race of an ended round; image and address are the current ones. */
export const readStoredRace = statement({
  parameters: { round: int4 },
  row: {
    id: uuid,
    tokenName: text,
    tokenSymbol: text,
    tokenSlug: orNull(text),
    imageUrl: orNull(text),
    days: arrayOf(text),
    totals: arrayOf(int4),
    ranks: arrayOf(int4),
  },
  text: (at) => `
    select k.candidate_id as id, k.token_name as "tokenName", k.token_symbol as "tokenSymbol",
      case when c.is_active and c.deleted_at is null then c.token_slug else (
        select n.id::text from next_projects n join voting_rounds r on r.id = n.voting_round_id
        where r.winner_candidate_id = k.candidate_id and n.is_active and n.deleted_at is null
          and n.status in ('published', 'launched')
        limit 1) end as "tokenSlug", case when c.deleted_at is null then c.image_url end as "imageUrl",
      array(select to_char(k.first_day + i - 1, 'YYYY-MM-DD') from generate_series(1, cardinality(k.totals)) as i order by i) as days,
      k.totals, k.ranks
    from round_races k join voting_rounds r on r.id = k.round_id left join voting_candidates c on c.id = k.candidate_id
    where r.number = ${at.round} order by k.place`,
});

/** Ranks of one candidate in the newest ended rounds, with its stored days. */
export const readPlacings = statement({
  parameters: { candidate: uuid, max: int4 },
  row: { round: int4, endedAt: timestamptz, place: int4, total: int4, days: arrayOf(text), ranks: arrayOf(int4) },
  text: (at) => `
    select r.number as round, coalesce(r.certified_at, r.closes_at) as "endedAt", s.rank as place, s.total_votes as total,
      array(select to_char(k.first_day + i - 1, 'YYYY-MM-DD') from generate_series(1, cardinality(k.ranks)) as i order by i) as days,
      coalesce(k.ranks, '{}') as ranks
    from (select id, number, certified_at, closes_at from voting_rounds where certified_at is not null order by number desc limit ${at.max}) r
    join round_standings s on s.round_id = r.id and s.candidate_id = ${at.candidate}
    left join round_races k on k.round_id = r.id and k.candidate_id = s.candidate_id
    order by r.number desc`,
});

/** A member's vote of this day for a candidate, with its round, its position among the counted votes and the candidate's rank. */
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
      r.number as round
    from present_votes v join voting_candidates c on c.id = v.candidate_id left join voting_rounds r on r.id = v.round_id
    where v.candidate_id = ${at.candidate} and v.user_id = ${at.userId} and v.voted_on = ${at.today}`,
});

/** A stored ticket and the current state of its vote and its candidate; the slug is that of the current page of the token. */
export const readTicket = statement({
  // Prepared, because planning one lookup visits every partition.
  prepared: 'read_ticket',
  parameters: { id: uuid },
  row: {
    id: uuid,
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
    /** False for a vote of an old month, which is only part of a sum: its leaf no longer refers to it. */
    stored: boolean,
  },
  text: (at) => `
    select t.id, t.vote_id as "voteId", t.candidate_id as "candidateId", c.token_name as "tokenName",
      c.token_symbol as "tokenSymbol", case when c.deleted_at is null then c.image_url end as "imageUrl",
      case when c.is_active and c.deleted_at is null then c.token_slug else (
        select n.id::text from next_projects n join voting_rounds r on r.id = n.voting_round_id
        where r.winner_candidate_id = c.id and n.is_active and n.deleted_at is null and n.status in ('published', 'launched')
        limit 1) end as "tokenSlug",
      t.voted_on as day, t.number, t.rank, t.round_number as round, t.kept_at as "keptAt",
      coalesce(v.state, case when t.carried_generation = any(c.generations) then t.carried_state end) as state,
      v.id is not null as stored
    from vote_tickets t join voting_candidates c on c.id = t.candidate_id
    left join present_votes v on v.id = t.vote_id and v.voted_on = t.voted_on
    where t.id = ${at.id}`,
});
