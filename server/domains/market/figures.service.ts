import { type SQL, sql } from 'drizzle-orm';
import type { MarketView } from '#contract/admin/market.ts';
import type { MarketNetwork, TokenKind } from '#contract/fields.ts';
import type { FigureName, FigureSource, PriceHistory, PriceRange, Provenance } from '#contract/market.ts';
import type { Reader } from '#server/db/client.ts';
import { fail } from '#server/lib/fail.ts';
import { pausedUntil } from './fetches.service.ts';
import { isStale, type Source } from './pace.policy.ts';

interface Stored {
  value: number;
  source: Source | 'demo';
  at: string;
}
type StoredFigures = Partial<Record<FigureName, Stored>>;

/** What providers said about a token. */
export interface MarketFacts {
  network: MarketNetwork | null;
  figures: Partial<Record<FigureName, { value: number; from: Provenance }>>;
  pricesSince: string | null;
}

const COLUMNS = sql.raw(`l.network, l.address, l.shown,
  (select json_object_agg(f.figure, json_build_object('value', f.value::float8, 'source', f.source, 'at', f.at))
   from market_figures f where f.network = l.network and f.address = l.address) as figures`);

type Row = {
  network: MarketNetwork;
  address: string;
  shown: boolean;
  figures: StoredFigures | null;
} & Record<string, unknown>;

const provenanceOf = ({ source, at }: Stored, now: Date): Provenance & { at: string } => ({
  source,
  at: new Date(at).toISOString(),
  stale: isStale(source, new Date(at), now),
});

/** What is known of a record's token. Nothing where it has no address, or one whose network nobody said. */
export async function marketFactsOf(
  db: Reader,
  { kind, id }: { kind: TokenKind; id: string },
  now: Date,
): Promise<MarketFacts> {
  const { rows } = await db.execute<Row & { since: Date | null }>(sql`
    select ${COLUMNS}, (select min(p.at) from market_prices p where p.network = l.network and p.address = l.address) as since
    from market_listings l where l.kind = ${kind} and l.id = ${id}`);
  const [row] = rows;
  if (!row) return { network: null, figures: {}, pricesSince: null };
  return {
    network: row.network,
    figures: Object.fromEntries(
      Object.entries(row.figures ?? {}).map(([name, stored]) => [
        name,
        { value: stored.value, from: provenanceOf(stored, now) },
      ]),
    ),
    pricesSince: row.since ? new Date(row.since).toISOString() : null,
  };
}

/**
 * SQL of a record's market cap as lists show it: what a provider says ('$2.50M', as app/lib/format/format.ts writes it), else
 * the text that the team entered.
 */
export const shownMarketCap = (table: CapTable): string => `coalesce((
    select '$' || case
      when f.value >= 1e9 then round(f.value / 1e9, 2) || 'B'
      when f.value >= 1e6 then round(f.value / 1e6, 2) || 'M'
      when f.value >= 1e3 then round(f.value / 1e3, 2) || 'K'
      else round(f.value, 2)::text end
    ${reportedCap(table)}), ${table}.market_cap)`;

/** SQL of the provider that says so; null: it is the team's text. */
export const marketCapSaidBy = (table: CapTable): string => `(select f.source ${reportedCap(table)})`;

type CapTable = 'projects' | 'next_projects';
const reportedCap = (table: CapTable) => `from market_figures f where f.figure = 'marketCap'
  and f.network = florka_market_network(${addressOf(table)})
  and f.address = florka_market_address(${tokenOf(table)})`;
const tokenOf = (table: CapTable) => `coalesce(${table}.contract_address, ${table}.token_address)`;
const addressOf = (table: CapTable) => `${table}.network, ${tokenOf(table)}`;

/**
 * SQL of how the recorded price of a record changed within seven days, as a share of the earlier one; null where no price
 * is recorded for both ends, each within a day.
 *
 * @param now the place of the moment in the statement.
 */
export const priceChange7d = (table: CapTable, now: string): string => {
  const recorded = (days: number) => `(select p.price from market_prices p
    where p.network = florka_market_network(${addressOf(table)}) and p.address = florka_market_address(${tokenOf(table)})
      and p.at <= ${now} - make_interval(days => ${days})
      and p.at > ${now} - make_interval(days => ${days + 1})
    order by p.at desc limit 1)`;
  return `(${recorded(0)} / nullif(${recorded(7)}, 0) - 1)::float8`;
};

/** Missing, or what forms fill in for a text that nobody entered. */
export const isUnknownFigure = (value: number | string | null | undefined): boolean =>
  value === null || value === undefined || (typeof value === 'string' && /^\s*(tbd|\$?\s*0*(\.0*)?)\s*$/i.test(value));

/** Where a market cap of a list comes from; null: it is not known. */
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

/** The last recorded price of each step up to now, of what the public sees; empty where nothing was recorded at all. */
export async function priceHistory(
  db: Reader,
  { kind, id, range }: { kind: TokenKind; id: string; range: PriceRange },
  now: Date,
): Promise<PriceHistory> {
  const { length, step } = RANGES[range];
  const last = Math.floor(now.getTime() / step) * step;
  const first = last - length + step;
  const from = new Date(first).toISOString();
  const { rows } = await db.execute<{ step: number; at: Date; price: number; source: Source | 'demo' | null }>(sql`
    select distinct on (1) floor((extract(epoch from p.at) * 1000 - ${first}::float8) / ${step}::float8)::int as step,
      p.at, p.price::float8 as price,
      (select f.source from market_figures f where f.network = p.network and f.address = p.address and f.figure = 'price') as source
    from market_prices p
    where p.at >= ${from}::timestamptz and p.at <= ${now.toISOString()}::timestamptz
      and (p.network, p.address) = (select l.network, l.address from market_listings l
        where l.kind = ${kind} and l.id = ${id} and l.shown)
    order by 1, p.at desc`);
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

const TABLES = { project: 'projects', candidate: 'voting_candidates', next: 'next_projects' } as const;
const ADDRESSES = {
  project: 'coalesce(contract_address, token_address)',
  candidate: 'contract_address',
  next: 'coalesce(contract_address, token_address)',
} as const;

/** What the back office shows beside the figures that the team enters. @throws NOT_FOUND */
export async function marketView(
  db: Reader,
  { kind, id }: { kind: TokenKind; id: string },
  { enabled, now }: { enabled: boolean; now: Date },
): Promise<MarketView> {
  const { rows } = await db.execute<{ address: string | null }>(sql`
    select ${sql.raw(ADDRESSES[kind])} as address from ${sql.raw(TABLES[kind])} where id = ${id}`);
  const record = rows[0] ?? fail('NOT_FOUND', { what: kind });
  const { rows: listed } = await db.execute<
    Row & { misses: number | null; answeredAt: Date | null; never: boolean | null }
  >(sql`
    select ${COLUMNS}, a.misses, a.answered_at as "answeredAt", a.next_at = 'infinity' as never from market_listings l
    left join market_asks a on a.network = l.network and a.address = l.address and a.ask = 'prices'
    where l.kind = ${kind} and l.id = ${id}`);
  const [row] = listed;
  const figures = Object.entries(row?.figures ?? {}) as [FigureName, Stored][];
  return {
    enabled,
    network: row?.network ?? null,
    address: record.address,
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
    answeredAt: row?.answeredAt ? new Date(row.answeredAt).toISOString() : null,
    pausedUntil: await pausedUntil(db, 'dexscreener', now),
    figures: figures.map(([figure, stored]) => ({ figure, value: stored.value, ...provenanceOf(stored, now) })),
    serverTime: now.toISOString(),
  };
}
