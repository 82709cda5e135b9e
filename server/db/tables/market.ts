import { boolean, integer, pgTable, pgView, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { figure, moment } from '#server/db/columns.ts';

const token = () => ({
  network: text('network', { enum: ['solana', 'ethereum', 'bnb', 'polygon'] }).notNull(),
  /** Of Ethereum and its like in lower case. */
  address: text('address').notNull(),
});

/** When which question about a token is due, and who is asking it. */
export const marketFetches = pgTable(
  'market_asks',
  {
    ...token(),
    ask: text('ask', { enum: ['prices', 'pools', 'holders'] }).notNull(),
    /** 'infinity': never. */
    nextAt: moment('next_at').notNull(),
    /** Answers in a row that brought nothing. */
    misses: integer('misses').notNull().default(0),
    /** Who asks now, and until when nobody else does. */
    claim: uuid('claim'),
    claimedUntil: moment('claimed_until'),
    answeredAt: moment('answered_at'),
  },
  (table) => [primaryKey({ columns: [table.network, table.address, table.ask] })],
);

/** The last value of each figure that a provider gave. */
export const marketFigures = pgTable(
  'market_figures',
  {
    ...token(),
    figure: text('figure', { enum: ['price', 'volume24h', 'marketCap', 'liquidity', 'holders'] }).notNull(),
    value: figure('value').notNull(),
    source: text('source', { enum: ['dexscreener', 'geckoterminal', 'demo'] }).notNull(),
    at: moment('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.address, table.figure] })],
);

/** Prices over time, in US dollars: one row for ten minutes, later for an hour, later for a day. */
export const marketPrices = pgTable(
  'market_prices',
  {
    ...token(),
    /** The beginning of its ten minutes. */
    at: moment('at').notNull(),
    price: figure('price').notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.address, table.at] })],
);

/** How a provider answers; shared by all processes. */
export const marketSources = pgTable('market_sources', {
  source: text('source', { enum: ['dexscreener', 'geckoterminal'] }).primaryKey(),
  /** Nobody asks before. */
  pausedUntil: moment('paused_until'),
  failures: integer('failures').notNull().default(0),
  failedAt: moment('failed_at'),
  answeredAt: moment('answered_at'),
});

/** Every record with an address on a network that providers know. */
export const marketListings = pgView('market_listings', {
  kind: text('kind').notNull(),
  id: uuid('id').notNull(),
  network: text('network').notNull(),
  address: text('address').notNull(),
  /** On a public page. */
  shown: boolean('shown').notNull(),
}).existing();
