import { bigint, boolean, integer, jsonb, pgTable, smallint, text, unique, uuid } from 'drizzle-orm/pg-core';
import { bytea, figure, jsonValue, moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';

/** Orders that were sent to the payment provider. */
export const payments = pgTable('payments', {
  id: uuid('id').primaryKey().defaultRandom(),
  submissionId: uuid('submission_id')
    .notNull()
    .references(() => tokenCreationSubmissions.id, { onDelete: 'restrict' }),
  /** Our order number, and the provider's order_id. */
  orderId: text('order_id').notNull().unique(),
  plan: text('plan', { enum: ['entry', 'basic', 'standard', 'complete'] }).notNull(),
  /** Whole US dollars. */
  priceUsd: integer('price_usd').notNull(),
  locale: text('locale', { enum: ['es', 'en'] }).notNull(),
  simulation: boolean('simulation').notNull(),
  /** Days within which the team promised the payer delivery by hand; null: the signer creates the token. */
  manualDays: smallint('manual_days'),
  /**
   * Hash of the token that was agreed when it was opened (`agreementHash`); the provider has it too. Null: from before it was
   * stored.
   */
  agreed: text('agreed'),
  /** The current payment of its request; at most one. */
  isCurrent: boolean('is_current').notNull().default(true),
  invoiceId: text('invoice_id'),
  paymentUrl: text('payment_url'),
  creatingUntil: moment('creating_until'),
  /** Source of the following columns, up to `attention`, which are computed from it. */
  knownFacts: jsonb('ledger').$type<Record<string, unknown>>().notNull(),
  state: text('state', {
    enum: [
      'awaiting',
      'confirming',
      'partially_paid',
      'paid',
      'overpaid',
      'paid_late',
      'expired',
      'failed',
      'refunded',
      'under_review',
    ],
  })
    .notNull()
    .default('awaiting'),
  providerPaymentId: text('provider_payment_id'),
  providerStatus: text('provider_status'),
  payAddress: text('pay_address'),
  payAmount: figure('pay_amount'),
  payCurrency: text('pay_currency'),
  actuallyPaid: figure('actually_paid'),
  receivedUsd: figure('received_usd').notNull().default(0),
  attention: text('attention').array().notNull().default([]),
  confirmedAt: moment('confirmed_at'),
  receiptAt: moment('receipt_at'),
  shortNoticeAt: moment('short_notice_at'),
  reviewNoticeAt: moment('review_notice_at'),
  expiresAt: moment('expires_at').notNull(),
  /** When the provider was last contacted, and last answered. */
  attemptedAt: moment('tried_at'),
  polledAt: moment('asked_at'),
  nextCheckAt: moment('next_check_at'),
  /** When it was first completely posted to the money ledger. */
  bookedAt: moment('booked_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

/** Everything received about payments. */
export const paymentEvents = pgTable('payment_events', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  paymentId: uuid('payment_id').references(() => payments.id, { onDelete: 'restrict' }),
  kind: text('kind', { enum: ['webhook', 'seen', 'act', 'state'] }).notNull(),
  providerPaymentId: text('provider_payment_id'),
  parentProviderPaymentId: text('parent_provider_payment_id'),
  bodyHash: bytea('body_hash').unique(),
  body: jsonValue('body').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** Acceptances that were signed with an admin's key; only the signature counts. */
export const paymentAcceptances = pgTable(
  'payment_acceptances',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    paymentId: uuid('payment_id')
      .notNull()
      .references(() => payments.id, { onDelete: 'cascade' }),
    /** The signed text, byte by byte. */
    statement: text('statement').notNull(),
    /** Ed25519, base64. */
    publicKey: text('public_key').notNull(),
    signature: text('signature').notNull(),
    addedBy: uuid('added_by'),
    addedAt: moment('added_at').notNull(),
  },
  (table) => [unique().on(table.paymentId, table.signature)],
);

/** Unplaced money: deposits at the provider that belong to no order here. */
export const unplacedPayments = pgTable('unplaced_payments', {
  /** The provider's id of the deposit. */
  providerPaymentId: text('provider_payment_id').primaryKey(),
  deposit: jsonb('deposit').$type<Record<string, unknown>>().notNull(),
  orderId: text('order_id'),
  invoiceId: text('invoice_id'),
  simulation: boolean('simulation').notNull(),
  firstSeenAt: moment('first_seen_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  /** Null: it waits for a person. */
  settledAt: moment('settled_at'),
  settledBy: uuid('settled_by').references(() => users.id, { onDelete: 'set null' }),
  /** The order that it was assigned to; null when it was settled elsewhere. */
  paymentId: uuid('payment_id').references(() => payments.id, { onDelete: 'restrict' }),
  reason: text('reason'),
  version: integer('version').notNull().default(1),
  /** When it was first posted to the money ledger. */
  bookedAt: moment('booked_at'),
});
