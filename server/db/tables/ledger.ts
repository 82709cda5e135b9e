import { sql } from 'drizzle-orm';
import { boolean, date, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bigCount, bytea, moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';

/** One row: the state of the public ledger (docs/ledger.md). */
export const ledgerLog = pgTable('ledger_log', {
  single: boolean('single').primaryKey().default(true),
  /** Name of the log and of its key; never changes. */
  origin: text('origin').notNull(),
  publicKey: bytea('public_key').notNull(),
  size: bigCount('size').notNull().default(0),
  root: bytea('root').notNull(),
  /** Size of the tree in the storage, with its signed checkpoint. */
  publishedSize: bigCount('published_size').notNull().default(0),
  checkpoint: text('checkpoint'),
  publishedAt: moment('published_at'),
  /** Votes from before the ledger are appended first, up to this id. */
  filledTo: bigCount('filled_to').notNull().default(0),
  fillUntil: bigCount('fill_until').notNull().default(0),
  filledAt: moment('filled_at'),
  /** The next UTC day whose result is to be appended. */
  nextDay: date('next_day', { mode: 'string' }).notNull(),
  auditEntry: bigCount('audit_entry'),
  auditAt: moment('audit_at'),
});

/** Never changed and never deleted; `voteId` is set to null when the vote is deleted. */
export const ledgerLeaves = pgTable('ledger_leaves', {
  seq: bigCount('seq').primaryKey(),
  entry: text('entry').notNull(),
  hash: bytea('hash').notNull(),
  voteId: bigCount('vote_id'),
});

/** Hashes of complete tiles, from level 1 on. */
export const ledgerHashes = pgTable(
  'ledger_hashes',
  { level: integer('level').notNull(), index: bigCount('index').notNull(), hash: bytea('hash').notNull() },
  (table) => [primaryKey({ columns: [table.level, table.index] })],
);

/** The member of a pseudonym in a round; deleted with the account. */
export const ledgerSalts = pgTable(
  'ledger_salts',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    round: integer('round').notNull(),
    salt: bytea('salt').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.round] })],
);

/** State of each candidate in the ledger. */
export const ledgerCandidates = pgTable('ledger_candidates', {
  candidateId: uuid('candidate_id').primaryKey(),
  addedAt: moment('added_at').notNull(),
  listed: boolean('listed').notNull(),
});

/** Signed results of days and rounds. */
export const ledgerResults = pgTable('ledger_results', {
  of: text('of').primaryKey(),
  seq: bigCount('seq').notNull().unique(),
  statement: text('statement').notNull(),
});

/** The newest cosignature of each witness. */
export const ledgerCosignatures = pgTable('ledger_cosignatures', {
  witness: text('witness').primaryKey(),
  size: bigCount('size').notNull(),
  line: text('line').notNull(),
  signedAt: moment('signed_at').notNull(),
});

/** Position in the queue of changes at which a round ended; written by the trigger `round_certified`. */
export const ledgerRoundEnds = pgTable('ledger_round_ends', {
  roundId: uuid('round_id').primaryKey(),
  lastChange: bigCount('last_change').notNull(),
  endedAt: moment('ended_at').notNull().default(sql`clock_timestamp()`),
  statedAt: moment('stated_at'),
});
