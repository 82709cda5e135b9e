import { eq } from 'drizzle-orm';
import type { MarketView } from '#contract/admin/market.ts';
import type { FigureName, FigureSource, PriceHistory, PriceRange, Provenance } from '#contract/domains/market.ts';
import type { TokenKind } from '#contract/fields/schemas.ts';
import type { Network } from '#contract/networks.ts';
import type { Reader } from '#server/db/client.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { projects } from '#server/db/tables/projects.ts';
import { votingCandidates } from '#server/db/tables/voting.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { isStale } from './fetch-intervals.policy.ts';
import { pausedUntil } from './fetches.service.ts';
import { readListing, readListingState, readPrices } from './figures.sql.ts';

type Stored = NonNullable<NonNullable<Awaited<ReturnType<typeof readListing>>[number]['figures']>[FigureName]>;

/** Market data of a token from providers. */
export interface MarketFacts {
  network: Network | null;
  figures: Partial<Record<FigureName, { value: number; from: Provenance }>>;
  pricesSince: string | null;
}

const provenanceOf = ({ source, at }: Stored, now: Date): Provenance & { at: string } => ({
  source,
  at: new Date(at).toISOString(),
  stale: isStale(source, new Date(at), now),
});

/** Market data of a record's token; empty when it has no address, or no network for it. */
export async function marketFactsOf(
  db: Reader,
  { kind, id }: { kind: TokenKind; id: string },
  now: Date,
): Promise<MarketFacts> {
  const [row] = await readListing(db, { kind, id });
  if (!row) return { network: null, figures: {}, pricesSince: null };
  return {
    network: row.network,
    figures: Object.fromEntries(
      Object.entries(row.figures ?? {}).map(([name, stored]) => [
        name,
        { value: stored.value, from: provenanceOf(stored, now) },
      ]),
    ),
    pricesSince: row.since?.toISOString() ?? null,
  };
}

/** SQL of a provider's market cap ('$2.50M', formatted as in app/lib/format/format.ts). @param figure alias of a row of market_figures */
const formattedCap = (figure: string): string => `'$' || case
      when ${figure}.value >= 1e9 then round(${figure}.value / 1e9, 2) || 'B'
      when ${figure}.value >= 1e6 then round(${figure}.value / 1e6, 2) || 'M'
      when ${figure}.value >= 1e3 then round(${figure}.value / 1e3, 2) || 'K'
      else round(${figure}.value, 2)::text end`;

/** SQL of a record's market cap for lists: the provider's value, else the text that the team entered. */
export const shownMarketCap = (table: CapTable): string =>
  `coalesce((select ${formattedCap('f')} ${reportedCap(table)}), ${table}.market_cap)`;

/** SQL of the provider of that value; null for the team's text. */
export const marketCapSource = (table: CapTable): string => `(select f.source ${reportedCap(table)})`;

type CapTable = 'projects' | 'next_projects';
const reportedCap = (table: CapTable) => {
  const { network, address } = marketKeyOf(table);
  return `from market_figures f where f.figure = 'marketCap' and f.network = ${network} and f.address = ${address}`;
};
const marketKeyOf = (table: CapTable) => {
  const token = `coalesce(${table}.contract_address, ${table}.token_address)`;
  return {
    network: `florka_market_network(${table}.network, ${token})`,
    address: `florka_market_address(${token})`,
  };
};

/** SQL of the columns by which `joinedMarketCap` and `priceChange7d` find the market data of a record; null without a known network. */
export const marketKeyColumns = (table: CapTable): string => {
  const { network, address } = marketKeyOf(table);
  return `${network} as market_network, ${address} as market_address`;
};

/**
 * The same as `shownMarketCap` and `marketCapSource` for rows that have those columns, as a join: a page of rows takes a third of the time of
 * subqueries for each of them.
 *
 * @param rows their alias in the statement; the join has the alias `cap`.
 */
export const joinedMarketCap = (rows: string): { join: string; shown: string; source: string } => ({
  join: `left join market_figures cap on cap.figure = 'marketCap' and cap.network = ${rows}.market_network
    and cap.address = ${rows}.market_address`,
  shown: `coalesce(${formattedCap('cap')}, ${rows}.market_cap)`,
  source: 'cap.source',
});

/**
 * SQL of the change of a record's recorded price within seven days, as a share of the earlier one; null without a recorded price
 * for both ends, each within a day.
 *
 * @param rows alias of rows with the columns of `marketKeyColumns`.
 * @param now the parameter of the time in the statement.
 */
export const priceChange7d = (rows: string, now: string): string => {
  const recorded = (days: number) => `(select p.price from market_prices p
    where p.network = ${rows}.market_network and p.address = ${rows}.market_address
      and p.at <= ${now} - make_interval(days => ${days})
      and p.at > ${now} - make_interval(days => ${days + 1})
    order by p.at desc limit 1)`;
  return `case when ${rows}.market_network is not null
    then (${recorded(0)} / nullif(${recorded(7)}, 0) - 1)::float8 end`;
};

/** True for a missing value, or the default of forms for an empty text. */
export const isUnknownFigure = (value: number | string | null | undefined): boolean =>
  value === null || value === undefined || (typeof value === 'string' && /^\s*(tbd|\$?\s*0*(\.0*)?)\s*$/i.test(value));

/** Source of a market cap in a list; null: it is unknown. */
export const marketCapFrom = (reportedBy: FigureSource | null, shown: string): FigureSource | null =>
  reportedBy ?? (isUnknownFigure(shown) ? null : 'team');

const HOUR = 3_600_000;
/** Length and step of each range, milliseconds: 48 to 60 points. */
const RANGES: Record<PriceRange, { length: number; step: number }> = {
  day: { length: 24 * HOUR, step: HOUR / 2 },
  week: { length: 7 * 24 * HOUR, step: 3 * HOUR },
  month: { length: 30 * 24 * HOUR, step: 12 * HOUR },
  year: { length: 364 * 24 * HOUR, step: 7 * 24 * HOUR },
};

/** The last recorded price of each step up to now, for public tokens; empty when nothing was recorded. */
export async function priceHistory(
  db: Reader,
  { kind, id, range }: { kind: TokenKind; id: string; range: PriceRange },
  now: Date,
): Promise<PriceHistory> {
  const { length, step } = RANGES[range];
  const last = Math.floor(now.getTime() / step) * step;
  const first = last - length + step;
  const rows = await readPrices(db, { kind, id, from: new Date(first), to: now, first, step });
  if (rows.length === 0) return { points: [], source: null };
  const recorded = new Map(rows.map((row) => [row.step, row]));
  return {
    points: Array.from({ length: Math.round(length / step) }, (_, i) => ({
      at: new Date(recorded.get(i)?.at ?? first + i * step).toISOString(),
      price: recorded.get(i)?.price ?? null,
    })),
    source: rows[0]?.source ?? null,
  };
}

/** The address of a record's token, as the team entered it. @throws NOT_FOUND */
async function addressOfRecord(db: Reader, { kind, id }: { kind: TokenKind; id: string }): Promise<string | null> {
  if (kind === 'candidate') {
    const { id: key, contractAddress } = votingCandidates;
    const [row] = await db.select({ contractAddress }).from(votingCandidates).where(eq(key, id));
    return (row ?? fail('NOT_FOUND', { what: kind })).contractAddress;
  }
  const table = kind === 'project' ? projects : nextProjects;
  const [row] = await db
    .select({ contract: table.contractAddress, token: table.tokenAddress })
    .from(table)
    .where(eq(table.id, id));
  const { contract, token } = row ?? fail('NOT_FOUND', { what: kind });
  return contract ?? token;
}

/** Provider data that the back office shows next to the figures that the team enters. @throws NOT_FOUND */
export async function marketView(
  db: Reader,
  { kind, id }: { kind: TokenKind; id: string },
  { enabled, now }: { enabled: boolean; now: Date },
): Promise<MarketView> {
  const address = await addressOfRecord(db, { kind, id });
  const [row] = await readListingState(db, { kind, id });
  const figures = Object.entries(row?.figures ?? {}) as [FigureName, Stored][];
  return {
    enabled,
    network: row?.network ?? null,
    address,
    state: !row
      ? 'nowhere'
      : row.never
        ? 'never'
        : !row.shown
          ? 'hidden'
          : row.answeredAt === null
            ? 'waiting'
            : row.misses === 0
              ? 'listed'
              : 'unlisted',
    answeredAt: row?.answeredAt?.toISOString() ?? null,
    pausedUntil: await pausedUntil(db, 'dexscreener', now),
    figures: figures.map(([figure, stored]) => ({ figure, value: stored.value, ...provenanceOf(stored, now) })),
    serverTime: now.toISOString(),
  };
}
