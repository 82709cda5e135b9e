import { bigint, date, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { HOLD_KINDS } from '#contract/vote-signals.ts';
import { bytea, moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';
import { votingCandidates, votingRounds } from '#server/db/tables/voting.ts';

/** Votes that a signal found together, or that staff held. */
export const voteReviewClusters = pgTable('vote_review_clusters', {
  id: uuid('id').primaryKey().defaultRandom(),
  roundId: uuid('round_id')
    .notNull()
    .references(() => votingRounds.id, { onDelete: 'cascade' }),
  signal: text('signal', { enum: HOLD_KINDS }).notNull(),
  /** Identifies what its votes have in common. */
  key: text('key').notNull(),
  /** Null when the signal is not about one candidate. */
  candidateId: uuid('candidate_id').references(() => votingCandidates.id, { onDelete: 'cascade' }),
  facts: jsonb('facts').$type<Record<string, string | number>>().notNull().default({}),
  state: text('state', { enum: ['open', 'released', 'void'] })
    .notNull()
    .default('open'),
  /** State that a decision in progress gives its votes, while the cluster is still open. */
  deciding: text('deciding', { enum: ['counted', 'void'] }),
  foundAt: moment('found_at').notNull(),
  /** When the newest vote was added. */
  grownAt: moment('grown_at').notNull(),
  decidedAt: moment('decided_at'),
  decidedBy: uuid('decided_by').references(() => users.id, { onDelete: 'set null' }),
  reason: text('reason'),
  /** Existing votes; these four counters are maintained by triggers. */
  votes: integer('votes').notNull().default(0),
  members: integer('members').notNull().default(0),
  /** Number of different nearest networks, of those that are known. */
  networks: integer('networks').notNull().default(0),
  /** Median age of the accounts when they voted. */
  ageHours: integer('age_hours').notNull().default(0),
});

/** A vote in the cluster of the signal that found it first. */
export const voteReviewVotes = pgTable('vote_review_votes', {
  voteId: bigint('vote_id', { mode: 'number' }).primaryKey(),
  /** UTC day of the vote, which determines its partition. Null when the vote was deleted before days were stored. */
  votedOn: date('voted_on', { mode: 'string' }),
  clusterId: uuid('cluster_id')
    .notNull()
    .references(() => voteReviewClusters.id, { onDelete: 'cascade' }),
  candidateId: uuid('candidate_id').notNull(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  heldAt: moment('held_at').notNull(),
  /** State set by a decision. */
  decidedAs: text('decided_as', { enum: ['counted', 'void'] }),
  /** Age of the account when it voted, as counted in its cluster; null when the vote is deleted. Both are written by triggers. */
  ageHours: integer('age_hours'),
  network: bytea('network'),
  /** The generation of the vote while it is under review, otherwise null; written by triggers. */
  waiting: integer('waiting'),
});

/** Decisions about a cluster, and their progress. */
export const voteReviewDecisions = pgTable('vote_review_decisions', {
  id: uuid('id').primaryKey().defaultRandom(),
  clusterId: uuid('cluster_id')
    .notNull()
    .references(() => voteReviewClusters.id, { onDelete: 'cascade' }),
  kind: text('act', { enum: ['release', 'void', 'undo'] }).notNull(),
  reason: text('reason'),
  decidedBy: uuid('decided_by').references(() => users.id, { onDelete: 'set null' }),
  beganAt: moment('began_at').notNull(),
  /** Number of affected votes when it began. */
  votes: integer('votes').notNull(),
  /** Number of them changed so far. */
  done: integer('done').notNull().default(0),
  /** Null while it is being executed. */
  finishedAt: moment('finished_at'),
});

/** Votes of a cluster that are under review, by candidate and generation; maintained by triggers. */
export const voteReviewWaiting = pgTable(
  'vote_review_waiting',
  {
    clusterId: uuid('cluster_id')
      .notNull()
      .references(() => voteReviewClusters.id, { onDelete: 'cascade' }),
    candidateId: uuid('candidate_id').notNull(),
    generation: integer('generation').notNull(),
    votes: integer('votes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.clusterId, table.candidateId, table.generation] })],
);

/** Votes of a cluster by age of the account; the source of the cluster's median age. */
export const voteReviewAges = pgTable(
  'vote_review_ages',
  {
    clusterId: uuid('cluster_id')
      .notNull()
      .references(() => voteReviewClusters.id, { onDelete: 'cascade' }),
    hours: integer('hours').notNull(),
    votes: integer('votes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.clusterId, table.hours] })],
);

/** Votes of a cluster by their nearest network. */
export const voteReviewNetworks = pgTable(
  'vote_review_networks',
  {
    clusterId: uuid('cluster_id')
      .notNull()
      .references(() => voteReviewClusters.id, { onDelete: 'cascade' }),
    network: bytea('network').notNull(),
    votes: integer('votes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.clusterId, table.network] })],
);
