import { sql } from 'drizzle-orm';
import { boolean, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';

export const blockchainNetworks = pgTable('blockchain_networks', {
  id: uuid('id').primaryKey().defaultRandom(),
  /** The value that requests store as their network; does not change with the label. */
  key: text('key').notNull().unique(),
  name: text('name').notNull(),
  symbol: text('symbol').notNull(),
  isActive: boolean('is_active').notNull().default(true),
  /** Days after the payment within which the team delivers by hand; null: only the signer creates tokens there. */
  manualDays: smallint('manual_days'),
  version: integer('version').notNull().default(1),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  deletedAt: moment('deleted_at'),
  deletedBy: uuid('deleted_by').references(() => users.id, { onDelete: 'set null' }),
  /** Normalized search text of the back office. */
  search: text('search').notNull().generatedAlwaysAs(sql`florka_fold(name || ' ' || symbol || ' ' || key)`),
});
