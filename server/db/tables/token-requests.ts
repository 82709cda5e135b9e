import { sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import type { DraftData } from '#contract/domains/token-requests.ts';
import { bytea, figure, moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';

export const tokenCreationSubmissions = pgTable('token_creation_submissions', {
  id: uuid('id').primaryKey().defaultRandom(),
  membershipType: text('membership_type', { enum: ['entry', 'basic', 'standard', 'complete'] })
    .notNull()
    .default('entry'),
  tokenData: jsonb('token_data').$type<Partial<DraftData>>().notNull().default({}),
  status: text('status', { enum: ['incomplete', 'pending_payment', 'completed'] })
    .notNull()
    .default('incomplete'),
  paymentStatus: text('payment_status', { enum: ['pending', 'completed', 'failed'] })
    .notNull()
    .default('pending'),
  /** The team's view of its payment; updated by triggers on payments and refunds. */
  paymentStage: text('payment_stage', {
    enum: ['pending', 'under_review', 'part_paid', 'paid', 'accepted', 'failed', 'expired', 'refunded'],
  })
    .notNull()
    .default('pending'),
  paymentId: text('payment_id').unique(),
  userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
  ownerWalletAddress: text('owner_wallet_address'),
  petitionerEmail: text('petitioner_email'),
  petitionerTelegram: text('petitioner_telegram'),
  selectedNetwork: text('selected_network'),
  /** Whole US dollars. */
  planPriceUsd: integer('plan_price_usd').notNull().default(50),
  planPriceSol: figure('plan_price_sol'),
  /** The furthest step of the wizard, 1 to 5; null when none was recorded. */
  furthestStep: smallint('furthest_step'),
  /** SHA-256 of the secret with which a guest edits this draft. */
  editSecretHash: bytea('edit_secret_hash').notNull(),
  /** Set for requests that the team closed; all four or none, except the address. */
  closedAt: moment('closed_at'),
  closedAs: text('closed_as', { enum: ['delivered', 'cancelled'] }),
  closedNote: text('closed_note'),
  deliveredAddress: text('delivered_address'),
  version: integer('version').notNull().default(1),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  /** Number of links that the order has had, including the current one; only its key opens the page. */
  linkGeneration: integer('link_generation').notNull().default(1),
  /** When the link was last opened or sent, to the day. */
  linkUsedAt: moment('link_used_at').notNull().defaultNow(),
  /** Normalized search text of the back office. */
  search: text('search').generatedAlwaysAs(sql`florka_fold(petitioner_email)`),
});
