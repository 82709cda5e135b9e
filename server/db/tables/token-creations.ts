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
import { bytea, moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';

const NETWORKS = ['solana', 'ethereum', 'binance', 'polygon'] as const;

/** What a token will be; server/domains/token-creation/snapshot.policy.ts makes it. All of it text. */
export interface StoredSnapshot {
  /** '1' was ordered before payers confirmed every token, and lacks what is optional here. */
  version: '1' | '2';
  requestId: string;
  network: (typeof NETWORKS)[number];
  name: string;
  symbol: string;
  supply: string;
  decimals: string;
  owner: string;
  metadataUrl: string;
  /** Who may make more, freeze or change it afterwards: nobody. */
  authorities?: 'none';
  /** SHA-256 of the image, in hex; '' without one. */
  picture?: string;
  /** SHA-256 of the metadata, in hex. */
  metadata?: string;
}

/** What wallets read of a token beside what stands on the chain. */
export interface TokenMetadata {
  name: string;
  symbol: string;
  description: string;
  /** Absolute; '' without one. */
  image: string;
}

/** What was ordered to be made on a chain, and how far it is; one of each request. */
export const tokenCreations = pgTable('token_creations', {
  id: uuid('id').primaryKey().defaultRandom(),
  submissionId: uuid('submission_id')
    .notNull()
    .unique()
    .references(() => tokenCreationSubmissions.id, { onDelete: 'restrict' }),
  network: text('network', { enum: NETWORKS }).notNull(),
  /** Unchangeable as soon as an attempt exists. */
  snapshot: jsonb('snapshot').$type<StoredSnapshot>().notNull(),
  snapshotHash: bytea('snapshot_hash').notNull(),
  simulation: boolean('simulation').notNull(),
  metadata: jsonb('metadata').$type<TokenMetadata>().notNull(),
  /** What its payer confirmed; null where it was ordered before every token was confirmed. */
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
  /** Failures in a row since it last went on. */
  retries: integer('tries').notNull().default(0),
  nextAttemptAt: moment('next_try_at'),
  requestedBy: uuid('requested_by').references(() => users.id, { onDelete: 'set null' }),
  orderedAt: moment('ordered_at').notNull(),
  begunAt: moment('begun_at').notNull(),
  completedAt: moment('completed_at'),
  notifiedAt: moment('told_at'),
  updatedAt: moment('updated_at').notNull(),
});

/** Which creation a nonce of a key belongs to, for ever. */
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

/** Every transaction that was signed; never changed, never removed. */
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

/** What the team would make of a request, and what its payer says to it: every token is made from such a row. */
export const tokenProposals = pgTable('token_proposals', {
  id: uuid('id').primaryKey().defaultRandom(),
  submissionId: uuid('submission_id')
    .notNull()
    .references(() => tokenCreationSubmissions.id, { onDelete: 'restrict' }),
  snapshot: jsonb('snapshot').$type<StoredSnapshot>().notNull(),
  snapshotHash: bytea('snapshot_hash').notNull(),
  /** What wallets will read; null where it was asked before that was part of the question. */
  metadata: jsonb('metadata').$type<TokenMetadata>(),
  /** What is not as in the request that was paid. */
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

/** Which admin approved a confirmed summary; never changed, never removed. */
export const tokenApprovals = pgTable(
  'token_approvals',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    proposalId: uuid('proposal_id')
      .notNull()
      .references(() => tokenProposals.id, { onDelete: 'restrict' }),
    snapshotHash: bytea('snapshot_hash').notNull(),
    /** Kept when the account is gone. */
    approvedBy: uuid('approved_by').notNull(),
    approvedAt: moment('approved_at').notNull(),
  },
  (table) => [unique('token_approvals_once').on(table.proposalId, table.approvedBy)],
);

/** What was read of a token that was made, each time. */
export const tokenReadings = pgTable('token_readings', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  creationId: uuid('creation_id')
    .notNull()
    .references(() => tokenCreations.id, { onDelete: 'restrict' }),
  what: text('what', { enum: ['chain', 'files'] }).notNull(),
  outcome: text('outcome', { enum: ['same', 'different', 'unanswered'] }).notNull(),
  /** Codes of what is not as it was made. */
  differences: text('differences').array().notNull().default([]),
  /** Base units on the chain then. */
  supply: text('supply'),
  /** Block or slot that was read. */
  block: text('block'),
  /** English, for operators. */
  detail: text('detail'),
  readAt: moment('read_at').notNull(),
});

/** Which token a deposit has paid for, by the signer's own word. */
export const creationDeposits = pgTable('creation_deposits', {
  depositId: text('deposit_id').primaryKey(),
  creationId: uuid('creation_id')
    .notNull()
    .references(() => tokenCreations.id, { onDelete: 'restrict' }),
});

/** What the signer can do on each network, by its own word of a few seconds ago. */
export const signerWorkers = pgTable('signer_workers', {
  network: text('network', { enum: NETWORKS }).primaryKey(),
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
});
