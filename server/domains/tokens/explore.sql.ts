import { marketNetwork } from '#contract/fields/schemas.ts';
import {
  boolean,
  date,
  exactMoment,
  int4,
  jsonb,
  oneOf,
  orNull,
  text,
  timestamptz,
  uuid,
} from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import { asChainProof, launchProofSql } from './launch-facts.service.ts';

const ROW = {
  id: uuid,
  tokenName: text,
  tokenSymbol: text,
  tokenSlug: orNull(text),
  description: orNull(text),
  imageUrl: orNull(text),
  network: orNull(oneOf(marketNetwork.options)),
  hasContract: boolean,
  createdAt: timestamptz,
  /** When it was created, to the microsecond. */
  at: text,
};
/** The address of a record's token; candidates have one column for it. */
const addressOf = (t: string) =>
  t === 'c.' ? 'c.contract_address' : `coalesce(${t}contract_address, ${t}token_address)`;
/** The network that the format of the address implies, where none is stored: as on the token's page. */
const impliedNetwork = (t: string) => `florka_market_network(null, ${addressOf(t)})`;

/** @param t alias of the table with a dot, or empty. */
const columns = (
  t: string,
  slug = `${t}token_slug`,
) => `${t}id, ${t}token_name as "tokenName", ${t}token_symbol as "tokenSymbol",
  ${slug} as "tokenSlug", ${t}description, ${t}image_url as "imageUrl",
  coalesce(${t}network, ${impliedNetwork(t)}) as network,
  coalesce(${t}contract_address, '') <> '' as "hasContract", ${t}created_at as "createdAt", ${t}created_at::text as at`;

/** Filters of every list; null for no filter. PostgreSQL plans with the values, so that unused filters have no cost. */
const FILTER = { network: orNull(text), contract: boolean, since: timestamptz };
const matches = (at: { network: string; contract: string; since: string }, t = '') =>
  `(${at.network} is null or ${t}network = ${at.network}
      or (${at.network} = 'solana' and ${t}network is null and ${impliedNetwork(t)} = 'solana'))
    and (not ${at.contract} or coalesce(${t}contract_address, '') <> '') and ${t}created_at >= ${at.since}`;

/** Cursor by age. */
const PLACE = { at: exactMoment, id: uuid };
const older = (at: { at: string; id: string }, t = '') =>
  `${t}created_at <= ${at.at} and (${t}created_at < ${at.at} or ${t}id > ${at.id})`;

const ON_HOME = `status in ('published_home', 'approved') and deleted_at is null`;

/** Projects, newest first. */
export const exploreProjects = statement({
  parameters: { ...FILTER, ...PLACE, max: int4 },
  row: ROW,
  text: (at) => `select ${columns('')} from projects where ${ON_HOME} and ${matches(at)} and ${older(at)}
    order by created_at desc, id limit ${at.max}`,
});

/** Projects by the position that the team set, then newest first. */
export const exploreProjectsByPlace = statement({
  parameters: { ...FILTER, place: int4, ...PLACE, max: int4 },
  row: { ...ROW, place: int4 },
  text: (at) => `
    (select ${columns('')}, order_index as place from projects where ${ON_HOME} and ${matches(at)}
      and order_index = ${at.place} and ${older(at)} order by created_at desc, id limit ${at.max})
    union all
    (select ${columns('')}, order_index from projects where ${ON_HOME} and ${matches(at)}
      and order_index > ${at.place} order by order_index, created_at desc, id limit ${at.max})
    order by place, "createdAt" desc, id limit ${at.max}`,
});

const ACTIVE = 'c.is_active and c.deleted_at is null and c.certified_round_id is null';
const VOTES = { totalVotes: int4, votesToday: int4 };
const votesToday = (today: string) => `coalesce((select d.votes from candidate_daily_votes d
  where d.candidate_id = c.id and d.day = ${today}), 0)`;

/** Candidates, newest first. */
export const exploreCandidates = statement({
  parameters: { today: date, ...FILTER, ...PLACE, max: int4 },
  row: { ...ROW, ...VOTES },
  text: (at) => `select ${columns('c.')}, c.total_votes as "totalVotes", ${votesToday(at.today)} as "votesToday"
    from voting_candidates c where ${ACTIVE} and ${matches(at, 'c.')} and ${older(at, 'c.')}
    order by c.created_at desc, c.id limit ${at.max}`,
});

/** Candidates in the order that determines the winner (`votesOrder`), after a cursor in it. */
export const exploreCandidatesByVotes = statement({
  parameters: { today: date, ...FILTER, votes: int4, reached: exactMoment, ...PLACE, max: int4 },
  row: { ...ROW, ...VOTES, reached: text },
  text: (at) => `select ${columns('c.')}, c.total_votes as "totalVotes", ${votesToday(at.today)} as "votesToday",
      coalesce(c.total_reached_at, '-infinity')::text as reached
    from voting_candidates c where ${ACTIVE} and ${matches(at, 'c.')} and c.total_votes <= ${at.votes}
      and (c.total_votes < ${at.votes} or (coalesce(c.total_reached_at, '-infinity'), c.created_at, c.id)
        > (${at.reached}, ${at.at}, ${at.id}))
    order by c.total_votes desc, c.total_reached_at asc nulls first, c.created_at asc, c.id asc limit ${at.max}`,
});

/** Candidates with a vote of the day, most votes first; of equal ones the one with the higher total. */
export const exploreCandidatesByToday = statement({
  parameters: { today: date, ...FILTER, votes: int4, total: int4, id: uuid, max: int4 },
  row: { ...ROW, ...VOTES },
  text: (at) => `select ${columns('c.')}, c.total_votes as "totalVotes", d.votes as "votesToday"
    from candidate_daily_votes d join voting_candidates c on c.id = d.candidate_id
    where d.day = ${at.today} and d.votes > 0 and ${ACTIVE} and ${matches(at, 'c.')}
      and (d.votes, c.total_votes) <= (${at.votes}, ${at.total})
      and ((d.votes, c.total_votes) < (${at.votes}, ${at.total}) or c.id > ${at.id})
    order by d.votes desc, c.total_votes desc, c.id limit ${at.max}`,
});

const COMING = `n.is_active and n.status in ('published', 'launched') and n.deleted_at is null`;
const STARTS = 'coalesce(n.countdown_end, n.launch_date)';
const NEXT = { startsAt: orNull(timestamptz), launched: boolean, chainProof: orNull(jsonb(asChainProof)) };
const nextColumns = `${columns('n.', 'null::text')}, ${STARTS} as "startsAt", n.status = 'launched' as launched,
  ${launchProofSql('n')} as "chainProof"`;
const NEXT_FILTER = { ...FILTER, status: orNull(text), from: exactMoment, until: exactMoment };
/** With infinity as a bound, launches without a time are included. */
const nextMatches = (at: { [Name in keyof typeof NEXT_FILTER]: string }) => `${matches(at, 'n.')}
  and (${at.status} is null or n.status = ${at.status})
  and ((${at.from} = '-infinity' and ${at.until} = 'infinity') or ${STARTS} between ${at.from} and ${at.until})`;

/** NEXT projects, newest first. */
export const exploreNext = statement({
  parameters: { ...NEXT_FILTER, ...PLACE, max: int4 },
  row: { ...ROW, ...NEXT },
  text: (
    at,
  ) => `select ${nextColumns} from next_projects n where ${COMING} and ${nextMatches(at)} and ${older(at, 'n.')}
    order by n.created_at desc, n.id limit ${at.max}`,
});

/** Launched NEXT projects, the latest launch first, those without a time last. */
export const exploreLaunched = statement({
  parameters: { ...NEXT_FILTER, startsAt: exactMoment, id: uuid, max: int4 },
  row: { ...ROW, ...NEXT, starts: text },
  text: (at) => `select ${nextColumns}, coalesce(${STARTS}, '-infinity')::text as starts from next_projects n
    where ${COMING} and ${nextMatches(at)} and coalesce(${STARTS}, '-infinity') <= ${at.startsAt}
      and (coalesce(${STARTS}, '-infinity') < ${at.startsAt} or n.id > ${at.id})
    order by coalesce(${STARTS}, '-infinity') desc, n.id limit ${at.max}`,
});

/** NEXT projects with a launch time at or after the cursor's, soonest first. */
export const exploreLaunches = statement({
  parameters: { ...NEXT_FILTER, startsAt: exactMoment, id: uuid, max: int4 },
  row: { ...ROW, ...NEXT, starts: text },
  text: (at) => `select ${nextColumns}, coalesce(${STARTS}::text, '') as starts from next_projects n
    where ${COMING} and ${nextMatches(at)} and ${STARTS} >= ${at.startsAt}
      and (${STARTS} > ${at.startsAt} or n.id > ${at.id})
    order by ${STARTS}, n.id limit ${at.max}`,
});
