import { pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { NETWORKS } from '#contract/networks.ts';
import { bytea, moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { projects } from '#server/db/tables/projects.ts';
import { votingCandidates } from '#server/db/tables/voting.ts';

/** The record of a proof or a message to sign: exactly one of them is set, or none where that is permitted. */
const recordColumns = () => ({
  projectId: uuid('project_id').references(() => projects.id, { onDelete: 'cascade' }),
  candidateId: uuid('candidate_id').references(() => votingCandidates.id, { onDelete: 'cascade' }),
  nextProjectId: uuid('next_project_id').references(() => nextProjects.id, { onDelete: 'cascade' }),
});

/**
 * Proofs of who is responsible for a token. Triggers on the three tables end them with any change of name, symbol, link, image or
 * contract; an ended proof is never reopened.
 */
export const ownershipProofs = pgTable('ownership_proofs', {
  id: uuid('id').primaryKey().defaultRandom(),
  ...recordColumns(),
  method: text('method', { enum: ['dns', 'file', 'wallet'] }).notNull(),
  /** A host name, or the address of a wallet. */
  subject: text('subject').notNull(),
  /** The content of the TXT record or the file; for a wallet the signed message. */
  token: text('token').notNull(),
  signature: text('signature'),
  state: text('state', { enum: ['pending', 'valid', 'ended'] })
    .notNull()
    .default('pending'),
  startedAt: moment('started_at').notNull(),
  startedBy: uuid('started_by').references(() => users.id, { onDelete: 'set null' }),
  provenAt: moment('proven_at'),
  checkedAt: moment('checked_at'),
  nextCheckAt: moment('next_check_at'),
  /** Consecutive failures. */
  failures: smallint('failures').notNull().default(0),
  expiresAt: moment('expires_at'),
  endedAt: moment('ended_at'),
  endedBy: uuid('ended_by').references(() => users.id, { onDelete: 'set null' }),
  endReason: text('end_reason', { enum: ['changed', 'lapsed', 'expired', 'withdrawn', 'replaced', 'given_up'] }),
  /** When followers and the creator were notified of its end. */
  notifiedAt: moment('notified_at'),
});

/** Messages for wallets to sign: each is valid once, for one purpose, in one browser. */
export const walletChallenges = pgTable('wallet_challenges', {
  nonce: text('nonce').primaryKey(),
  purpose: text('purpose', { enum: ['token_proof', 'link', 'sign_in'] }).notNull(),
  network: text('network', { enum: NETWORKS }).notNull(),
  address: text('address').notNull(),
  message: text('message').notNull(),
  /** Null for a sign-in, where the member is unknown before. */
  userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
  browserHash: bytea('browser_hash').notNull(),
  ...recordColumns(),
  expiresAt: moment('expires_at').notNull(),
});
