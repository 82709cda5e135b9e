import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';
import { payments } from '#server/db/tables/payments.ts';

/** Comparisons of the money ledger with the provider. */
export const settlementRuns = pgTable('settlement_runs', {
  id: uuid('id').primaryKey().defaultRandom(),
  startedAt: moment('started_at').notNull(),
  finishedAt: moment('finished_at'),
  state: text('state', { enum: ['running', 'whole', 'cut', 'failed', 'not_allowed', 'no_provider'] })
    .notNull()
    .default('running'),
  deposits: integer('deposits').notNull().default(0),
  /** Deposits that the run itself assigned to an order, or stored as unplaced money. */
  found: integer('found').notNull().default(0),
  differences: integer('differences').notNull().default(0),
  /** Null: the daily job. */
  requestedBy: uuid('asked_by').references(() => users.id, { onDelete: 'set null' }),
});

/** Differences between the money ledger and the provider. */
export const settlementDifferences = pgTable('settlement_differences', {
  id: uuid('id').primaryKey().defaultRandom(),
  kind: text('kind', {
    enum: ['missing_here', 'missing_there', 'amount', 'returned', 'outcome', 'over_returned', 'totals'],
  }).notNull(),
  /** The provider's id of a deposit, an order's number, or the month of a total. */
  subject: text('subject').notNull(),
  paymentId: uuid('payment_id').references(() => payments.id, { onDelete: 'restrict' }),
  asset: text('asset').notNull().default(''),
  /** Decimals, with all digits; empty for nothing. */
  ours: text('ours').notNull(),
  theirs: text('theirs').notNull(),
  foundAt: moment('found_at').notNull(),
  seenAt: moment('seen_at').notNull(),
  /** When a later complete run did not find it any more. */
  goneAt: moment('gone_at'),
  explainedAt: moment('explained_at'),
  explainedBy: uuid('explained_by').references(() => users.id, { onDelete: 'set null' }),
  reason: text('reason'),
  version: integer('version').notNull().default(1),
});
