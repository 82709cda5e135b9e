import { sql } from 'drizzle-orm';
import { boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { NETWORKS } from '#contract/networks.ts';
import { linkColumns, moment, projectTextColumns } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';

export const projects = pgTable('projects', {
  id: uuid('id').primaryKey().defaultRandom(),
  tokenName: text('token_name').notNull(),
  tokenSymbol: text('token_symbol').notNull(),
  tokenSlug: text('token_slug').notNull().unique(),
  /** Unique among projects outside of the trash. */
  tokenAddress: text('token_address').notNull(),
  contractAddress: text('contract_address'),
  network: text('network', { enum: NETWORKS }),
  ...projectTextColumns(),
  imageUrl: text('image_url'),
  ...linkColumns(),
  holdersCount: integer('holders_count'),
  marketCap: text('market_cap').notNull().default('$0'),
  progressPercentage: integer('progress_percentage').notNull().default(0),
  status: text('status', { enum: ['pending', 'approved', 'rejected', 'published_home', 'published_next'] })
    .notNull()
    .default('pending'),
  isFeatured: boolean('is_featured').notNull().default(false),
  /** 1 to 3 is a podium slot; 999 is 'no position of its own'. */
  orderIndex: integer('order_index').notNull().default(999),
  /** When each market figure of the team was entered; written by a trigger. */
  figuresAt: jsonb('figures_at').$type<Record<string, string>>().notNull().default({}),
  submittedByUserId: uuid('submitted_by_user_id').references(() => users.id, { onDelete: 'set null' }),
  version: integer('version').notNull().default(1),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  deletedAt: moment('deleted_at'),
  deletedBy: uuid('deleted_by').references(() => users.id, { onDelete: 'set null' }),
  /** Normalized search text of the back office. */
  search: text('search').notNull().generatedAlwaysAs(sql`florka_fold(token_name)`),
});
