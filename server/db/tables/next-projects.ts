import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { NETWORKS } from '#contract/networks.ts';
import { figure, linkColumns, moment, projectTextColumns } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';
import { votingRounds } from '#server/db/tables/voting.ts';

export const nextProjects = pgTable('next_projects', {
  id: uuid('id').primaryKey().defaultRandom(),
  tokenName: text('token_name').notNull(),
  tokenSymbol: text('token_symbol').notNull(),
  tokenAddress: text('token_address'),
  contractAddress: text('contract_address'),
  network: text('network', { enum: NETWORKS }),
  ...projectTextColumns(),
  imageUrl: text('image_url'),
  ...linkColumns(),
  launchDate: moment('launch_date'),
  countdownEnd: moment('countdown_end'),
  status: text('status', { enum: ['pending', 'published', 'launched'] })
    .notNull()
    .default('published'),
  isFeatured: boolean('is_featured').notNull().default(false),
  isActive: boolean('is_active').notNull().default(true),
  isVotingWinner: boolean('is_voting_winner').notNull().default(false),
  votingRoundId: uuid('voting_round_id')
    .unique()
    .references(() => votingRounds.id, { onDelete: 'set null' }),
  orderIndex: integer('order_index').notNull().default(0),
  progressPercentage: integer('progress_percentage').notNull().default(0),
  price: figure('price').notNull().default(0),
  marketCap: text('market_cap').notNull().default('TBD'),
  /** The launch time that followers were notified of. */
  notifiedLaunchAt: moment('told_launch_at'),
  notifiedLaunched: boolean('told_launched').notNull().default(false),
  /** The kind of launch proof that followers were notified of. */
  notifiedProof: text('notified_proof', { enum: ['test', 'chain'] }),
  /** True when followers of the candidate that won its round were notified. */
  notifiedPromoted: boolean('told_promoted').notNull().default(false),
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

/** Changes of the announced hour of a launch; written by a trigger, never changed. */
export const nextLaunchChanges = pgTable('next_launch_changes', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  projectId: uuid('project_id')
    .notNull()
    .references(() => nextProjects.id, { onDelete: 'cascade' }),
  /** Null: no hour was announced. */
  was: moment('was'),
  becomes: moment('becomes'),
  /** True when the previous hour was public. */
  announced: boolean('announced').notNull(),
  changedAt: moment('changed_at').notNull().default(sql`clock_timestamp()`),
});
