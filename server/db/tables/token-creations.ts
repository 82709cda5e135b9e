import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  date,
  foreignKey,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import type { CreationProblem, TokenFacts } from '#contract/admin/token-creation.ts';
import type { AgreedField } from '#contract/fields/token-form.ts';
import { TOKEN_NETWORKS, type TokenNetwork } from '#contract/networks.ts';
import { bytea, moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';

/** Data of a token; created by server/domains/token-creation/snapshot.policy.ts. All values are text. */
export interface StoredSnapshot {
  /** '1' was ordered before payers confirmed every token, and lacks the fields that are optional here. */
  version: '1' | '2';
  requestId: string;
  network: TokenNetwork;
  name: string;
  symbol: string;
  supply: string;
  decimals: string;
  owner: string;
  metadataUrl: string;
  /** Nobody may mint more, freeze or change the token after its creation. */
  authorities?: 'none';
  /** SHA-256 of the image, in hex; '' without one. */
  picture?: string;
  /** SHA-256 of the metadata, in hex. */
  metadata?: string;
}

/** Metadata that wallets read in addition to the data on the chain. */
export interface TokenMetadata {
  name: string;
  symbol: string;
  description: string;
  /** Absolute; '' without one. */
  image: string;
}

/** Ordered creations on a chain, and their progress; one per request. */
export const tokenCreations = pgTable('token_creations', {
  id: uuid('id').primaryKey().defaultRandom(),
  submissionId: uuid('submission_id')
    .notNull()
    .unique()
    .references(() => tokenCreationSubmissions.id, { onDelete: 'restrict' }),
  network: text('network', { enum: TOKEN_NETWORKS }).notNull(),
  /** Immutable as soon as an attempt exists. */
  snapshot: jsonb('snapshot').$type<StoredSnapshot>().notNull(),
  snapshotHash: bytea('snapshot_hash').notNull(),
  simulation: boolean('simulation').notNull(),
  metadata: jsonb('metadata').$type<TokenMetadata>().notNull(),
  /** The proposal that its payer confirmed; null when it was ordered before every token was confirmed. */
  proposalId: uuid('proposal_id').references((): AnyPgColumn => tokenProposals.id, { onDelete: 'restrict' }),
  state: text('state', { enum: ['queued', 'working', 'held', 'completed', 'failed'] })
    .notNull()
    .default('queued'),
  stage: text('stage', {
    enum: ['queued', 'checking', 'signed', 'sent', 'confirming', 'reading', 'completed', 'stopped'],
  })
    .notNull()
    .default('queued'),
  plan: jsonb('plan').$type<Record<string, string>>(),
  chainId: text('chain_id'),
  address: text('address'),
  addressPage: text('address_page'),
  transaction: text('transaction'),
  transactionPage: text('transaction_page'),
  facts: jsonb('facts').$type<TokenFacts>(),
  problem: text('problem').$type<CreationProblem>(),
  detail: text('detail'),
  /** Consecutive failures since its last progress. */
  retries: integer('tries').notNull().default(0),
  nextAttemptAt: moment('next_try_at'),
  requestedBy: uuid('requested_by').references(() => users.id, { onDelete: 'set null' }),
  orderedAt: moment('ordered_at').notNull(),
  begunAt: moment('begun_at').notNull(),
  completedAt: moment('completed_at'),
  notifiedAt: moment('told_at'),
  updatedAt: moment('updated_at').notNull(),
});

/** Permanent assignment of a key's nonce to a creation. */
export const creationNonces = pgTable(
  'creation_nonces',
  {
    chainId: text('chain_id').notNull(),
    signer: text('signer').notNull(),
    nonce: bigint('nonce', { mode: 'bigint' }).notNull(),
    creationId: uuid('creation_id')
      .notNull()
      .references(() => tokenCreations.id, { onDelete: 'restrict' }),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.signer, table.nonce] }),
    unique('creation_nonces_owner').on(table.chainId, table.signer, table.nonce, table.creationId),
  ],
);

/** Every signed transaction; never deleted. Only `sentAt` and `outcome` are set later. */
export const creationAttempts = pgTable(
  'creation_attempts',
  {
    creationId: uuid('creation_id')
      .notNull()
      .references(() => tokenCreations.id, { onDelete: 'restrict' }),
    number: integer('number').notNull(),
    chainId: text('chain_id').notNull(),
    signer: text('signer').notNull(),
    nonce: bigint('nonce', { mode: 'bigint' }),
    transaction: text('transaction').notNull().unique(),
    page: text('page'),
    signed: bytea('signed').notNull(),
    validUntil: bigint('valid_until', { mode: 'bigint' }),
    signedAt: moment('signed_at').notNull(),
    sentAt: moment('sent_at'),
    outcome: text('outcome', { enum: ['landed', 'lost', 'refused'] }),
  },
  (table) => [
    primaryKey({ columns: [table.creationId, table.number] }),
    foreignKey({
      columns: [table.chainId, table.signer, table.nonce, table.creationId],
      foreignColumns: [creationNonces.chainId, creationNonces.signer, creationNonces.nonce, creationNonces.creationId],
    }).onDelete('restrict'),
  ],
);

/** Proposals of a token to its payer, with the answer: every token is created from such a row. */
export const tokenProposals = pgTable('token_proposals', {
  id: uuid('id').primaryKey().defaultRandom(),
  submissionId: uuid('submission_id')
    .notNull()
    .references(() => tokenCreationSubmissions.id, { onDelete: 'restrict' }),
  snapshot: jsonb('snapshot').$type<StoredSnapshot>().notNull(),
  snapshotHash: bytea('snapshot_hash').notNull(),
  /** Metadata for wallets; null when it was proposed before they were part of it. */
  metadata: jsonb('metadata').$type<TokenMetadata>(),
  /** Fields that differ from the paid request. */
  fields: text('fields').array().$type<AgreedField[]>().notNull(),
  state: text('state', { enum: ['open', 'confirmed', 'declined', 'replaced'] })
    .notNull()
    .default('open'),
  proposedBy: uuid('proposed_by').references(() => users.id, { onDelete: 'set null' }),
  proposedAt: moment('proposed_at').notNull(),
  answeredAt: moment('answered_at'),
  /** When the payer was reminded. */
  remindedAt: moment('reminded_at'),
});

/** Admins' approvals of confirmed summaries; never changed, never deleted. */
export const tokenApprovals = pgTable(
  'token_approvals',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    proposalId: uuid('proposal_id')
      .notNull()
      .references(() => tokenProposals.id, { onDelete: 'restrict' }),
    snapshotHash: bytea('snapshot_hash').notNull(),
    /** Retained when the account is deleted. */
    approvedBy: uuid('approved_by').notNull(),
    approvedAt: moment('approved_at').notNull(),
  },
  (table) => [unique('token_approvals_once').on(table.proposalId, table.approvedBy)],
);

/** Readings of created tokens. */
export const tokenReadings = pgTable('token_readings', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  creationId: uuid('creation_id')
    .notNull()
    .references(() => tokenCreations.id, { onDelete: 'restrict' }),
  what: text('what', { enum: ['chain', 'files'] }).notNull(),
  outcome: text('outcome', { enum: ['same', 'different', 'unanswered'] }).notNull(),
  /** Codes of differences from what was created. */
  differences: text('differences').array().notNull().default([]),
  /** Base units on the chain at that time. */
  supply: text('supply'),
  /** Block or slot that was read. */
  block: text('block'),
  /** English, for operators. */
  detail: text('detail'),
  readAt: moment('read_at').notNull(),
});

/** The creation that a deposit has paid for, as recorded by the signer. */
export const creationDeposits = pgTable('creation_deposits', {
  depositId: text('deposit_id').primaryKey(),
  creationId: uuid('creation_id')
    .notNull()
    .references(() => tokenCreations.id, { onDelete: 'restrict' }),
});

/** The signer's latest report about each network, updated every 15 seconds. */
export const signerWorkers = pgTable('signer_workers', {
  network: text('network', { enum: TOKEN_NETWORKS }).primaryKey(),
  state: text('state', {
    enum: [
      'ready',
      'unreachable',
      'wrong_chain',
      'unsupported',
      'key_unavailable',
      'wrong_key',
      'low_balance',
      'cap_reached',
    ],
  }).notNull(),
  detail: text('detail'),
  chainId: text('chain_id'),
  production: boolean('production'),
  deployer: text('deployer'),
  balance: text('balance'),
  coin: text('coin'),
  cost: text('cost'),
  enoughFor: integer('enough_for'),
  dailyCap: integer('daily_cap').notNull(),
  usedToday: integer('used_today').notNull(),
  usedOn: date('used_on').notNull(),
  startedAt: moment('started_at').notNull(),
  seenAt: moment('seen_at').notNull().default(sql`now()`),
  /** Since when the state is the current one; set by a trigger. */
  stateSince: moment('state_since').notNull().default(sql`now()`),
});
