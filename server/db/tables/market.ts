import { boolean, integer, pgTable, pgView, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { NETWORKS } from '#contract/networks.ts';
import { figure, moment } from '#server/db/columns.ts';

const token = () => ({
  network: text('network', { enum: NETWORKS }).notNull(),
  /** In lower case for EVM networks. */
  address: text('address').notNull(),
});

/** When each fetch of a token is due, and the claim on it. */
export const marketFetches = pgTable(
  'market_asks',
  {
    ...token(),
    kind: text('ask', { enum: ['prices', 'pools', 'holders'] }).notNull(),
    /** 'infinity': never. */
    nextAt: moment('next_at').notNull(),
    /** Consecutive responses without data. */
    misses: integer('misses').notNull().default(0),
    /** The current claim, and until when it excludes others. */
    claim: uuid('claim'),
    claimedUntil: moment('claimed_until'),
    answeredAt: moment('answered_at'),
  },
  (table) => [primaryKey({ columns: [table.network, table.address, table.kind] })],
);

/** The last value of each figure from a provider. */
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
    /** The start of its ten minutes. */
    at: moment('at').notNull(),
    price: figure('price').notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.address, table.at] })],
);

/** State of each provider; shared by all processes. */
export const marketSources = pgTable('market_sources', {
  source: text('source', { enum: ['dexscreener', 'geckoterminal'] }).primaryKey(),
  /** No call before this time. */
  pausedUntil: moment('paused_until'),
  failures: integer('failures').notNull().default(0),
  failedAt: moment('failed_at'),
  answeredAt: moment('answered_at'),
});

/** Every record with an address on a network that providers support. */
export const marketListings = pgView('market_listings', {
  kind: text('kind').notNull(),
  id: uuid('id').notNull(),
  network: text('network').notNull(),
  address: text('address').notNull(),
  /** True when it is on a public page. */
  shown: boolean('shown').notNull(),
}).existing();
