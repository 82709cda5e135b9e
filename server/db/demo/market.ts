import { and, eq, gt, isNotNull } from 'drizzle-orm';
import type { Tx } from '#server/db/client.ts';
import { votingCandidates } from '#server/db/tables/voting.ts';
import { insertFigures, insertPrices, markInvented } from './demo.sql.ts';
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
 * Sample figures and a month of sample prices for candidates with a price, marked as samples. Every token is marked as invented, so
 * that no provider is ever queried about it.
 */
export async function seedMarket(tx: Tx, now: Date): Promise<void> {
  await markInvented(tx, {});
  const { tokenName, contractAddress, price, volume24h, holdersCount, isActive, orderIndex } = votingCandidates;
  const rows = await tx
    .select({ name: tokenName, address: contractAddress, price, volume: volume24h, holders: holdersCount })
    .from(votingCandidates)
    .where(and(gt(price, 0), eq(isActive, true), isNotNull(contractAddress)))
    .orderBy(orderIndex);
  for (const row of rows) {
    const token = { ...row, address: row.address ?? '', price: row.price ?? 0, volume: row.volume ?? 0 };
    const figures = {
      price: token.price,
      volume24h: token.volume,
      liquidity: Math.round(token.volume * 1.7),
      holders: token.holders,
    };
    const known = Object.entries(figures).filter(([, value]) => value !== null && value > 0);
    await insertFigures(tx, {
      address: token.address,
      figures: known.map(([name]) => name),
      values: known.map(([, value]) => Number(value)),
      at: now,
    });
    await insertPrices(tx, {
      address: token.address,
      moments: HOURS.map((hours) => new Date(Math.floor((now.getTime() - hours * HOUR) / STEP) * STEP)),
      prices: walk(token),
    });
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
