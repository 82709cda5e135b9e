import { boolean, integer, numeric, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';
import { payments } from '#server/db/tables/payments.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';

/** Refunds of money to its payer. */
export const refundCases = pgTable('refund_cases', {
  id: uuid('id').primaryKey().defaultRandom(),
  number: text('number').notNull().unique(),
  submissionId: uuid('submission_id')
    .notNull()
    .references(() => tokenCreationSubmissions.id, { onDelete: 'restrict' }),
  paymentId: uuid('payment_id')
    .notNull()
    .references(() => payments.id, { onDelete: 'restrict' }),
  cause: text('cause', { enum: ['payment', 'deliverable', 'cancelled', 'network'] }).notNull(),
  /** Reason that is shown to the payer. */
  reason: text('reason').notNull(),
  /** The provider's code of the coin. */
  asset: text('asset').notNull(),
  decimals: smallint('decimals').notNull(),
  /** In the smallest unit of the asset. */
  amount: numeric('amount', { mode: 'bigint' }).notNull(),
  state: text('state', { enum: ['address_needed', 'address_unconfirmed', 'ready', 'sent', 'withdrawn'] })
    .notNull()
    .default('address_needed'),
  address: text('address'),
  addressAt: moment('address_at'),
  /** Hash of the mailed code. */
  codeHash: bytea('code_hash'),
  codeUntil: moment('code_until'),
  codeAttempts: smallint('code_tries').notNull().default(0),
  confirmedAt: moment('confirmed_at'),
  transaction: text('transaction'),
  byProvider: boolean('by_provider').notNull().default(false),
  sentAt: moment('sent_at'),
  sentBy: uuid('sent_by').references(() => users.id, { onDelete: 'set null' }),
  withdrawnAt: moment('withdrawn_at'),
  withdrawnReason: text('withdrawn_reason'),
  /** 'returned': the provider returned that money on its own initiative; null when it was withdrawn before this was stored. */
  withdrawnCause: text('withdrawn_cause', { enum: ['team', 'returned'] }),
  /** Who of the team pays it, or paid it; null when nobody claimed it or that account was deleted. */
  claimedBy: uuid('claimed_by').references(() => users.id, { onDelete: 'set null' }),
  claimedAt: moment('claimed_at'),
  claimUntil: moment('claim_until'),
  /** When the provider returned that money while the refund was claimed. */
  haltedAt: moment('halted_at'),
  /** What of the refund remains if it was not paid, in the smallest unit of the asset. */
  haltedLeft: numeric('halted_left', { mode: 'bigint' }),
  openedBy: uuid('opened_by').references(() => users.id, { onDelete: 'set null' }),
  simulation: boolean('simulation').notNull(),
  version: integer('version').notNull().default(1),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});
