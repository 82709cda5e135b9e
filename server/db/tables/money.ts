import {
  bigint,
  boolean,
  date,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { payments } from '#server/db/tables/payments.ts';

/** The money ledger: every change of money as one balanced transaction. Rows are never changed. */
export const moneyTransactions = pgTable(
  'money_transactions',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind', {
      enum: ['expected', 'received', 'returned', 'settled', 'accepted_short', 'refunded'],
    }).notNull(),
    /** The order's number, the provider's id of a deposit, or a refund's number. */
    subject: text('subject').notNull(),
    revision: integer('revision').notNull(),
    simulation: boolean('simulation').notNull(),
    paymentId: uuid('payment_id').references(() => payments.id, { onDelete: 'restrict' }),
    plan: text('plan', { enum: ['', 'entry', 'basic', 'standard', 'complete'] }).notNull(),
    network: text('network').notNull(),
    /** Identifiers of the subject in other systems. */
    facts: jsonb('facts').$type<Record<string, string>>().notNull(),
    at: moment('at').notNull(),
    madeAt: moment('made_at').notNull().defaultNow(),
  },
  (table) => [unique('money_transactions_once').on(table.kind, table.subject, table.simulation, table.revision)],
);

export const moneyEntries = pgTable(
  'money_entries',
  {
    transactionId: bigint('transaction_id', { mode: 'number' })
      .notNull()
      .references(() => moneyTransactions.id, { onDelete: 'restrict' }),
    line: smallint('line').notNull(),
    account: text('account', {
      enum: [
        'sales',
        'claim',
        'received',
        'short',
        'refunded',
        'provider',
        'orders',
        'unplaced',
        'elsewhere',
        'team',
        'exchange',
        'balance',
        'fees',
      ],
    }).notNull(),
    /** 'USD' in cents, or the provider's code of a coin in units of 10^-18. */
    asset: text('asset').notNull(),
    amount: numeric('amount', { mode: 'bigint' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.transactionId, table.line] })],
);

/** Sums of the entries, maintained by the database. */
export const moneyTotals = pgTable(
  'money_totals',
  {
    month: date('month', { mode: 'string' }).notNull(),
    simulation: boolean('simulation').notNull(),
    plan: text('plan').notNull(),
    network: text('network').notNull(),
    account: text('account').notNull(),
    asset: text('asset').notNull(),
    amount: numeric('amount', { mode: 'bigint' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.month, table.simulation, table.plan, table.network, table.account, table.asset] }),
  ],
);
