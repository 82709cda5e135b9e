import type { Provenance } from '#contract/domains/market.ts';
import type { LaunchChange } from '#contract/domains/next-projects.ts';
import type { Token } from '#contract/domains/tokens.ts';
import { eachLink } from '#contract/fields/links.ts';
import type { Reader } from '#server/db/client.ts';
import { isUnknownFigure, type MarketFacts, marketFactsOf } from '#server/domains/market/figures.service.ts';
import { readCreationFacts } from '#server/domains/token-creation/facts.service.ts';
import { lastUtcDays } from '#server/lib/clock.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { proofOf, readLaunchChanges } from './launch-facts.service.ts';
import {
  readCandidateById,
  readCandidateBySlug,
  readNextById,
  readNextByWinnerId,
  readNextByWinnerSlug,
  readProjectById,
  readProjectBySlug,
} from './tokens.sql.ts';

/** UUID versions 1 to 5: only such a text is looked up as an id. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Characters of a slug; no other text can name a token, so none is queried. */
const SLUG = /^[a-z0-9-]+$/;

type Found<Of extends Token['kind'], Read extends (...args: never[]) => Promise<unknown[]>> = {
  kind: Of;
} & Awaited<ReturnType<Read>>[number];

/** Columns of a token from the three kinds of record; each omits those that it does not have. */
type Row =
  | Found<'project', typeof readProjectById>
  | Found<'candidate', typeof readCandidateById>
  | Found<'next', typeof readNextById>;

/** Lookups of a record, in the order in which they are tried. */
function* lookupsOf(db: Reader, slug: string, today: string): Generator<Promise<Row[]>> {
  const as =
    <Of extends Token['kind']>(kind: Of) =>
    <R extends object>(rows: R[]) =>
      rows.map((row) => ({ kind, ...row }));
  const isId = UUID.test(slug);
  yield readProjectBySlug(db, { slug }).then(as('project'));
  if (isId) yield readProjectById(db, { id: slug }).then(as('project'));
  yield readCandidateBySlug(db, { today, slug }).then(as('candidate'));
  if (isId) {
    yield readCandidateById(db, { today, id: slug }).then(as('candidate'));
    yield readNextById(db, { id: slug }).then(as('next'));
    yield readNextByWinnerId(db, { id: slug }).then(as('next'));
  }
  // The address of a candidate may have been shared: it leads to the NEXT project that it became.
  yield readNextByWinnerSlug(db, { slug }).then(as('next'));
}

/**
 * The public record of a slug or id. Order: projects by slug, projects by id, candidates by slug, candidates by id, NEXT projects
 * by id, NEXT projects by the id or slug of the candidate that they were; the same visibility rules for each.
 *
 * @throws NOT_FOUND when there is no public one.
 */
export async function findToken(db: Reader, slug: string, now: Date): Promise<Token> {
  if (!SLUG.test(slug) && !UUID.test(slug)) fail('NOT_FOUND', { what: 'token' });
  for (const query of lookupsOf(db, slug, lastUtcDays(now, 1)[0] ?? '')) {
    const [row] = await query;
    if (!row) continue;
    const changes = row.kind === 'next' ? await readLaunchChanges(db, [row.id]) : new Map<string, never>();
    const token = tokenOf(row, changes.get(row.id) ?? [], await marketFactsOf(db, row, now), now);
    const creation = await readCreationFacts(db, token);
    if (!creation?.supply) return { ...token, facts: { creation } };
    // Data from the chain takes precedence over entered data.
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

/**
 * A figure with its source: a provider's value if there is one, else the team's. The team's own value remains stored, and is shown
 * again when no provider has one.
 */
function figureOf<T extends number | string>(
  fromMarket: MarketFacts['figures'][keyof MarketFacts['figures']],
  entered: T | null | undefined,
  enteredAt: string | undefined,
): { value: T | number | null; from: Provenance | null } {
  if (fromMarket) return fromMarket;
  if (isUnknownFigure(entered)) return { value: entered ?? null, from: null };
  return {
    value: entered ?? null,
    from: { source: 'team', at: enteredAt ? new Date(enteredAt).toISOString() : null, stale: false },
  };
}

function tokenOf(row: Row, changes: LaunchChange[], market: MarketFacts, now: Date): Token {
  const { figures } = market;
  const entered = row.figuresAt;
  const own = row.kind === 'candidate' ? row : null;
  const price = figureOf(figures.price, row.kind === 'project' ? null : row.price, entered['price']);
  const volume24h = figureOf(figures.volume24h, own?.volume24h, entered['volume_24h']);
  const marketCap = figureOf<number | string>(figures.marketCap, row.marketCap, entered['market_cap']);
  const holders = figureOf(figures.holders, row.kind === 'next' ? null : row.holdersCount, entered['holders_count']);
  const maxSupply = figureOf(undefined, own?.maxSupply, entered['max_supply']);
  return {
    ...plainOf(row, changes, now),
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

const plainOf = (row: Row, changes: LaunchChange[], now: Date): Omit<Token, Figures> => ({
  kind: row.kind,
  id: row.id,
  tokenName: row.tokenName,
  tokenSymbol: row.tokenSymbol,
  tokenSlug: row.kind === 'next' ? null : row.tokenSlug,
  description: row.description,
  descriptionFull: row.descriptionFull,
  imageUrl: row.imageUrl,
  contractAddress: row.contractAddress,
  ...eachLink((link) => row[link]),
  totalVotes: row.kind === 'project' ? 0 : (row.totalVotes ?? 0),
  votesToday: row.kind === 'candidate' ? row.votesToday : 0,
  votesUnderReview: row.kind === 'candidate' ? row.votesUnderReview : 0,
  votesVoid: row.kind === 'candidate' ? row.votesVoid : 0,
  verified: [...row.verified],
  progressPercentage: row.kind === 'candidate' ? null : row.progressPercentage,
  createdAt: row.createdAt.toISOString(),
  launch:
    row.kind === 'next'
      ? {
          status: row.status,
          launchDate: row.launchDate?.toISOString() ?? null,
          countdownEnd: row.countdownEnd?.toISOString() ?? null,
          isVotingWinner: row.isVotingWinner,
          wonRound: row.wonRound,
          proof: proofOf(row.chainProof, row.status),
          changes,
        }
      : null,
  serverTime: now.toISOString(),
});
