import { z } from 'zod';
import { eachLink } from '#contract/fields/links.ts';
import { marketNetwork } from '#contract/fields/schemas.ts';
import { boolean, date, float8, int4, jsonb, oneOf, orNull, text, timestamptz, uuid } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';
import { verifiedColumn, verifiedSql } from '#server/domains/ownership/verified.service.ts';
import { LINK_COLUMNS } from './editing.service.ts';
import { asChainProof, launchProofSql } from './launch-facts.service.ts';

const SHARED_ROW = {
  id: uuid,
  tokenName: text,
  tokenSymbol: text,
  description: orNull(text),
  descriptionFull: orNull(text),
  imageUrl: orNull(text),
  contractAddress: orNull(text),
  ...eachLink(() => orNull(text)),
  network: orNull(oneOf(marketNetwork.options)),
  /** When the team entered each figure. */
  figuresAt: jsonb(z.record(z.string(), z.string()).parse),
  createdAt: timestamptz,
  verified: verifiedColumn,
};
const SHARED = `id, token_name as "tokenName", token_symbol as "tokenSymbol", description,
  description_full as "descriptionFull", image_url as "imageUrl", contract_address as "contractAddress",
  ${LINK_COLUMNS}, network, figures_at as "figuresAt", created_at as "createdAt"`;

const PROJECT_ROW = {
  ...SHARED_ROW,
  tokenSlug: text,
  marketCap: text,
  holdersCount: orNull(int4),
  progressPercentage: int4,
};
const PROJECT = `select ${SHARED}, ${verifiedSql('projects', 'project_id')} as verified, token_slug as "tokenSlug", market_cap as "marketCap",
  holders_count as "holdersCount", progress_percentage as "progressPercentage" from projects
  where status in ('published_home', 'approved') and deleted_at is null`;

export const readProjectBySlug = statement({
  prepared: 'project_by_slug',
  parameters: { slug: text },
  row: PROJECT_ROW,
  text: (at) => `${PROJECT} and token_slug = ${at.slug}`,
});
export const readProjectById = statement({
  parameters: { id: uuid },
  row: PROJECT_ROW,
  text: (at) => `${PROJECT} and id = ${at.id}`,
});

const CANDIDATE_ROW = {
  ...SHARED_ROW,
  tokenSlug: text,
  marketCap: orNull(float8),
  price: orNull(float8),
  volume24h: orNull(float8),
  maxSupply: orNull(float8),
  holdersCount: orNull(int4),
  totalVotes: int4,
  votesUnderReview: int4,
  votesVoid: int4,
  votesToday: int4,
};
const candidate = (
  today: string,
) => `select ${SHARED}, ${verifiedSql('c', 'candidate_id')} as verified, token_slug as "tokenSlug",
  market_cap::float8 as "marketCap", price::float8 as price, volume_24h::float8 as "volume24h",
  max_supply::float8 as "maxSupply", holders_count as "holdersCount", total_votes as "totalVotes",
  votes_under_review as "votesUnderReview", votes_void as "votesVoid",
  coalesce((select d.votes from candidate_daily_votes d where d.candidate_id = c.id and d.day = ${today}), 0) as "votesToday"
  from voting_candidates c where is_active and deleted_at is null`;

export const readCandidateBySlug = statement({
  prepared: 'candidate_by_slug',
  parameters: { today: date, slug: text },
  row: CANDIDATE_ROW,
  text: (at) => `${candidate(at.today)} and token_slug = ${at.slug}`,
});
export const readCandidateById = statement({
  parameters: { today: date, id: uuid },
  row: CANDIDATE_ROW,
  text: (at) => `${candidate(at.today)} and id = ${at.id}`,
});

const NEXT_ROW = {
  ...SHARED_ROW,
  wonRound: orNull(int4),
  totalVotes: orNull(int4),
  marketCap: text,
  price: orNull(float8),
  progressPercentage: int4,
  status: oneOf(['published', 'launched']),
  launchDate: orNull(timestamptz),
  countdownEnd: orNull(timestamptz),
  isVotingWinner: boolean,
  chainProof: orNull(jsonb(asChainProof)),
};
const NEXT = `select ${SHARED}, ${verifiedSql('next_projects', 'next_project_id')} as verified, won.number as "wonRound", won.winner_votes as "totalVotes",
    market_cap as "marketCap", nullif(price, 0)::float8 as price,
    progress_percentage as "progressPercentage", status, launch_date as "launchDate", countdown_end as "countdownEnd",
    is_voting_winner as "isVotingWinner", ${launchProofSql('next_projects')} as "chainProof" from next_projects
    left join lateral (
      select r.number, r.winner_votes from voting_rounds r where r.id = voting_round_id and r.winner_votes is not null
    ) won on true
    where is_active and status in ('published', 'launched') and deleted_at is null`;
/** The round that a candidate won and that its NEXT project comes from, by a condition on the candidate. */
const wonBy = (condition: string) => `voting_round_id in (
    select r.id from voting_rounds r join voting_candidates c on c.id = r.winner_candidate_id where ${condition})
  order by created_at desc, id limit 1`;

export const readNextById = statement({
  parameters: { id: uuid },
  row: NEXT_ROW,
  text: (at) => `${NEXT} and id = ${at.id}`,
});
/** The NEXT project that a candidate became, by the candidate's slug: the last one, where several had it. */
export const readNextByWinnerSlug = statement({
  parameters: { slug: text },
  row: NEXT_ROW,
  text: (at) => `${NEXT} and ${wonBy(`c.token_slug = ${at.slug}`)}`,
});
export const readNextByWinnerId = statement({
  parameters: { id: uuid },
  row: NEXT_ROW,
  text: (at) => `${NEXT} and ${wonBy(`c.id = ${at.id}`)}`,
});
