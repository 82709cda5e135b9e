import { type SQL, sql } from 'drizzle-orm';
import { eachLink } from '#contract/links.ts';
import type { Provenance } from '#contract/market.ts';
import type { Token } from '#contract/tokens.ts';
import type { Reader } from '#server/db/client.ts';
import { isUnknownFigure, type MarketFacts, marketFactsOf } from '#server/domains/market/figures.service.ts';
import { readCreationFacts } from '#server/domains/token-creation/facts.service.ts';
import { lastUtcDays } from '#server/lib/clock.ts';
import { fail } from '#server/lib/fail.ts';
import { LINK_COLUMNS } from './editing.service.ts';

/** UUID versions 1 to 5: only such a text may also be an id. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** What a slug is made of; no other text can name a token, so none reaches the database. */
const SLUG = /^[a-z0-9-]+$/;

const SHARED = sql.raw(`id, token_name as "tokenName", token_symbol as "tokenSymbol", description,
  description_full as "descriptionFull", image_url as "imageUrl", contract_address as "contractAddress",
  ${LINK_COLUMNS}, network, figures_at as "figuresAt", created_at as "createdAt"`);

const PROJECT = sql`select 'project' as kind, ${SHARED}, token_slug as "tokenSlug", market_cap as "marketCap",
  holders_count as "holdersCount", progress_percentage as "progressPercentage" from projects
  where status in ('published_home', 'approved') and deleted_at is null`;
const CANDIDATE = (today: string) => sql`select 'candidate' as kind, ${SHARED}, token_slug as "tokenSlug",
  market_cap::float8 as "marketCap", price::float8 as price, volume_24h::float8 as "volume24h",
  max_supply::float8 as "maxSupply", holders_count as "holdersCount", total_votes as "totalVotes",
  votes_under_review as "votesUnderReview", votes_void as "votesVoid",
  coalesce((select d.votes from candidate_daily_votes d where d.candidate_id = c.id and d.day = ${today}), 0) as "votesToday"
  from voting_candidates c where is_active and deleted_at is null`;
const NEXT = sql`select 'next' as kind, ${SHARED}, won.number as "wonRound", won.winner_votes as "totalVotes", market_cap as "marketCap", nullif(price, 0)::float8 as price,
  progress_percentage as "progressPercentage", status, launch_date as "launchDate", countdown_end as "countdownEnd",
  is_voting_winner as "isVotingWinner" from next_projects
  left join lateral (
    select r.number, r.winner_votes from voting_rounds r where r.id = voting_round_id and r.winner_votes is not null
  ) won on true
  where is_active and status in ('published', 'launched') and deleted_at is null`;

interface Row extends Record<string, unknown>, Partial<Omit<Token, 'createdAt' | 'launch'>> {
  kind: Token['kind'];
  id: string;
  tokenName: string;
  tokenSymbol: string;
  createdAt: Date;
  figuresAt: Record<string, string>;
  status?: 'published' | 'launched';
  launchDate?: Date | null;
  countdownEnd?: Date | null;
  isVotingWinner?: boolean;
  wonRound?: number | null;
}

/**
 * The public record behind a slug or id. Order: projects by slug, projects by id, candidates by slug, candidates by id,
 * NEXT projects by id; the same visibility rules on every way.
 *
 * @throws NOT_FOUND when nothing public answers to it.
 */
export async function findToken(db: Reader, slug: string, now: Date): Promise<Token> {
  if (!SLUG.test(slug) && !UUID.test(slug)) fail('NOT_FOUND', { what: 'token' });
  const candidate = CANDIDATE(lastUtcDays(now, 1)[0] ?? '');
  const ways: SQL[] = UUID.test(slug)
    ? [
        sql`${PROJECT} and token_slug = ${slug}`,
        sql`${PROJECT} and id = ${slug}`,
        sql`${candidate} and token_slug = ${slug}`,
        sql`${candidate} and id = ${slug}`,
        sql`${NEXT} and id = ${slug}`,
      ]
    : [sql`${PROJECT} and token_slug = ${slug}`, sql`${candidate} and token_slug = ${slug}`];
  for (const way of ways) {
    const { rows } = await db.execute<Row>(way);
    const [row] = rows;
    if (!row) continue;
    const token = tokenOf(row, await marketFactsOf(db, row, now), now);
    const creation = await readCreationFacts(db, token);
    if (!creation?.supply) return { ...token, facts: { creation } };
    // What the chain says counts more than what anybody typed.
    const maxSupply = { source: 'chain' as const, at: creation.readAt, stale: false };
    return {
      ...token,
      maxSupply: Number(creation.supply),
      sources: { ...token.sources, maxSupply },
      facts: { creation },
    };
  }
  return fail('NOT_FOUND', { what: 'token' });
}

const iso = (at: Date | string | null | undefined) => (at ? new Date(at).toISOString() : null);

/**
 * A figure and where it comes from: what a provider says counts, else what the team entered. The team's own value stays
 * stored, and is shown again when no provider knows better.
 */
function figureOf<T extends number | string>(
  said: MarketFacts['figures'][keyof MarketFacts['figures']],
  entered: T | null | undefined,
  enteredAt: string | undefined,
): { value: T | number | null; from: Provenance | null } {
  if (said) return said;
  if (isUnknownFigure(entered)) return { value: entered ?? null, from: null };
  return { value: entered ?? null, from: { source: 'team', at: iso(enteredAt), stale: false } };
}

function tokenOf(row: Row, market: MarketFacts, now: Date): Token {
  const { figures } = market;
  const entered = row.figuresAt;
  const price = figureOf(figures.price, row.price, entered['price']);
  const volume24h = figureOf(figures.volume24h, row.volume24h, entered['volume_24h']);
  const marketCap = figureOf(figures.marketCap, row.marketCap, entered['market_cap']);
  const holders = figureOf(figures.holders, row.holdersCount, entered['holders_count']);
  const maxSupply = figureOf(undefined, row.maxSupply, entered['max_supply']);
  return {
    ...plainOf(row, now),
    network: row.network ?? market.network,
    price: price.value,
    volume24h: volume24h.value,
    liquidity: figures.liquidity?.value ?? null,
    marketCap: marketCap.value,
    holdersCount: holders.value,
    maxSupply: maxSupply.value,
    sources: {
      price: price.from,
      volume24h: volume24h.from,
      marketCap: marketCap.from,
      liquidity: figures.liquidity?.from ?? null,
      holders: holders.from,
      maxSupply: maxSupply.from,
    },
    pricesSince: market.pricesSince,
    facts: { creation: null },
  };
}

type Figures =
  | 'network'
  | 'price'
  | 'volume24h'
  | 'liquidity'
  | 'marketCap'
  | 'holdersCount'
  | 'maxSupply'
  | 'sources'
  | 'pricesSince'
  | 'facts';

const plainOf = (row: Row, now: Date): Omit<Token, Figures> => ({
  kind: row.kind,
  id: row.id,
  tokenName: row.tokenName,
  tokenSymbol: row.tokenSymbol,
  tokenSlug: row.tokenSlug ?? null,
  description: row.description ?? null,
  descriptionFull: row.descriptionFull ?? null,
  imageUrl: row.imageUrl ?? null,
  contractAddress: row.contractAddress ?? null,
  ...eachLink((link) => row[link] ?? null),
  totalVotes: row.totalVotes ?? 0,
  votesToday: row.votesToday ?? 0,
  votesUnderReview: row.votesUnderReview ?? 0,
  votesVoid: row.votesVoid ?? 0,
  progressPercentage: row.progressPercentage ?? null,
  createdAt: new Date(row.createdAt).toISOString(),
  launch: row.status
    ? {
        status: row.status,
        launchDate: iso(row.launchDate),
        countdownEnd: iso(row.countdownEnd),
        isVotingWinner: row.isVotingWinner ?? false,
        wonRound: row.wonRound ?? null,
      }
    : null,
  serverTime: now.toISOString(),
});
