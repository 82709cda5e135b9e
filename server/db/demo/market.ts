import { and, eq, gt, sql } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { votingCandidates } from '#server/db/tables/voting.ts';
import { randomOf } from './random.ts';

const HOUR = 3_600_000;
const STEP = HOUR / 6;
/** Hours before now at which a price is recorded: frequently on the last day, every three hours before. */
const HOURS = [
  ...Array.from({ length: 29 * 8 }, (_, i) => 30 * 24 - i * 3),
  ...Array.from({ length: 48 }, (_, i) => 24 - i / 2),
];

interface Priced {
  name: string;
  price: number;
}

/**
 * Sample figures and a month of sample prices for candidates with a price, marked as samples, and a mark on every token that it is
 * invented: no provider is ever queried about one.
 */
export async function seedMarket(tx: Tx, now: Date): Promise<void> {
  await tx.execute(sql`
    insert into market_asks (network, address, ask, next_at)
    select distinct l.network, l.address, a.ask, 'infinity'::timestamptz
    from market_listings l, (values ('prices'), ('pools'), ('holders')) a (ask)`);
  const { tokenName, contractAddress, price, volume24h, holdersCount, isActive, orderIndex } = votingCandidates;
  const rows = await tx
    .select({ name: tokenName, address: contractAddress, price, volume: volume24h, holders: holdersCount })
    .from(votingCandidates)
    .where(and(gt(price, 0), eq(isActive, true)))
    .orderBy(orderIndex);
  for (const row of rows) {
    const token = { ...row, price: row.price ?? 0, volume: row.volume ?? 0 };
    const at = now.toISOString();
    const figures = {
      price: token.price,
      volume24h: token.volume,
      liquidity: Math.round(token.volume * 1.7),
      holders: token.holders,
    };
    await tx.execute(sql`
      insert into market_figures (network, address, figure, value, source, at)
      select 'solana', ${token.address}, f.key, f.value::numeric, 'demo', ${at}::timestamptz
      from json_each_text(${JSON.stringify(figures)}::json) f where f.value::numeric > 0`);
    const prices = walk(token);
    await tx.execute(sql`
      insert into market_prices (network, address, at, price)
      select 'solana', ${token.address}, p.at, max(p.price)::numeric from unnest(
        ${sql.param(HOURS.map((hours) => new Date(Math.floor((now.getTime() - hours * HOUR) / STEP) * STEP).toISOString()))}::timestamptz[],
        ${sql.param(prices)}::float8[]) p (at, price)
      group by p.at`);
  }
}

/** A series of prices that ends at the token's price; deterministic. */
function walk({ name, price }: Priced): number[] {
  const next = randomOf(`prices ${name}`);
  const drift = (next() - 0.4) * 0.004;
  let value = price;
  return HOURS.map(() => {
    const now = value;
    value *= 1 - drift + (next() - 0.5) * 0.05;
    return now;
  }).toReversed();
}
