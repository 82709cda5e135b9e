import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  date,
  integer,
  jsonb,
  pgTable,
  pgView,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { NETWORKS } from '#contract/networks.ts';
import { bigCount, bytea, figure, linkColumns, moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';

export const votingCandidates = pgTable('voting_candidates', {
  id: uuid('id').primaryKey().defaultRandom(),
  tokenName: text('token_name').notNull(),
  tokenSymbol: text('token_symbol').notNull(),
  tokenSlug: text('token_slug').notNull().unique(),
  /** Normalized search text of the back office. */
  search: text('search').notNull().generatedAlwaysAs(sql`florka_fold(token_name)`),
  description: text('description'),
  descriptionFull: text('description_full'),
  imageUrl: text('image_url'),
  contractAddress: text('contract_address'),
  network: text('network', { enum: NETWORKS }),
  ...linkColumns(),
  orderIndex: integer('order_index').notNull().default(0),
  isActive: boolean('is_active').notNull().default(true),
  adminNotes: text('admin_notes'),
  /** Equals the number of its counted votes; written only by the statements that write the votes. */
  totalVotes: integer('total_votes').notNull().default(0),
  /** A coarse total in an index: candidates sorted by it and then by the total are sorted by the total (ADR 0041). */
  votesRank: integer('votes_rank')
    .notNull()
    .generatedAlwaysAs(
      sql`case when total_votes <= 64 then total_votes else 64 + floor(32 * ln(total_votes / 64::float8))::integer end`,
    ),
  /** When the current total was reached, the time of its newest counted vote: the tie-break of a round. */
  totalReachedAt: moment('total_reached_at'),
  /** Of the open round; updated like the total. */
  votesUnderReview: integer('votes_under_review').notNull().default(0),
  votesVoid: integer('votes_void').notNull().default(0),
  /** Generations whose votes are present; new votes get the last of them. A reset starts a new generation. */
  generations: integer('generations').array().notNull().default([0]),
  /** The round that it won, from its certification until it graduates: it can't be voted for meanwhile. */
  certifiedRoundId: uuid('certified_round_id').references((): AnyPgColumn => votingRounds.id, { onDelete: 'set null' }),
  price: figure('price'),
  volume24h: figure('volume_24h'),
  marketCap: figure('market_cap'),
  swapsCount: bigCount('swaps_count'),
  maxSupply: figure('max_supply'),
  tokensInSwap: figure('tokens_in_swap'),
  holdersCount: integer('holders_count'),
  tokensWithHolders: figure('tokens_with_holders'),
  solInLiquidity: figure('sol_in_liquidity'),
  tokensInSolPool: figure('tokens_in_sol_pool'),
  warInLiquidity: figure('war_in_liquidity'),
  tokensInWarPool: figure('tokens_in_war_pool'),
  lockedAmount: figure('locked_amount'),
  lockedValue: figure('locked_value'),
  burntPercentage: figure('burnt_percentage'),
  /** When each market figure of the team was entered; written by a trigger. */
  figuresAt: jsonb('figures_at').$type<Record<string, string>>().notNull().default({}),
  version: integer('version').notNull().default(1),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  deletedAt: moment('deleted_at'),
  deletedBy: uuid('deleted_by').references(() => users.id, { onDelete: 'set null' }),
});

export const votingRounds = pgTable('voting_rounds', {
  id: uuid('id').primaryKey().defaultRandom(),
  number: integer('number').notNull().unique(),
  status: text('status', { enum: ['open', 'closed'] })
    .notNull()
    .default('open'),
  opensAt: moment('opens_at').notNull().defaultNow(),
  closesAt: moment('closes_at').notNull(),
  closedAt: moment('closed_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
  winnerCandidateId: uuid('winner_candidate_id').references(() => votingCandidates.id, { onDelete: 'set null' }),
  /** Votes of the winner when the round closed. */
  winnerVotes: integer('winner_votes'),
  closedBy: uuid('closed_by').references(() => users.id, { onDelete: 'set null' }),
  /** Key with which the networks of its votes are hashed; deleted when the round closes. */
  networkKey: bytea('network_key').default(sql`uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())`),
  /** When the standings were frozen. */
  certifiedAt: moment('certified_at'),
  /** Length in days of the round that opens when this one ends; null: voting pauses then. */
  nextDays: integer('next_days').default(15),
  /** True when the next round follows the calendar of the settings; false once an admin changed it for this round. */
  nextByCalendar: boolean('next_by_calendar').notNull().default(true),
  /** Public; null for a round that ended on schedule. */
  closedEarlyReason: text('closed_early_reason'),
});

/** Ranks of the first candidates of an ended round on each of its days; never changed. */
export const roundRaces = pgTable(
  'round_races',
  {
    roundId: uuid('round_id')
      .notNull()
      .references(() => votingRounds.id, { onDelete: 'cascade' }),
    /** In the final standings. */
    place: integer('place').notNull(),
    candidateId: uuid('candidate_id').notNull(),
    tokenName: text('token_name').notNull(),
    tokenSymbol: text('token_symbol').notNull(),
    /** UTC day of the first entry of both lists. */
    firstDay: date('first_day', { mode: 'string' }).notNull(),
    totals: integer('totals').array().notNull(),
    ranks: integer('ranks').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.roundId, table.place] })],
);

/** Totals of the candidates when a round ended; never changed. Names are copied: a candidate may be renamed or removed. */
export const roundStandings = pgTable(
  'round_standings',
  {
    roundId: uuid('round_id')
      .notNull()
      .references(() => votingRounds.id, { onDelete: 'cascade' }),
    rank: integer('rank').notNull(),
    candidateId: uuid('candidate_id').notNull(),
    tokenName: text('token_name').notNull(),
    tokenSymbol: text('token_symbol').notNull(),
    totalVotes: integer('total_votes').notNull(),
    reachedAt: moment('reached_at'),
  },
  (table) => [primaryKey({ columns: [table.roundId, table.rank] })],
);

const VOTE_STATES = ['counted', 'under_review', 'void'] as const;
/** Only counted votes are in totals. */
export type VoteState = (typeof VOTE_STATES)[number];

/** One row per member, candidate and UTC day, partitioned by month (ADR 0066): query a vote by its id and its day. */
export const votes = pgTable(
  'votes',
  {
    id: bigCount('id').notNull().default(sql`nextval('votes_id_seq')`),
    candidateId: uuid('candidate_id')
      .notNull()
      .references(() => votingCandidates.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** 'YYYY-MM-DD' */
    votedOn: date('voted_on', { mode: 'string' }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    ipHash: bytea('ip_hash'),
    state: text('state', { enum: VOTE_STATES }).notNull().default('counted'),
    /** Null when it counts without a decision; else a signal's name, 'member_banned', 'moderator' and so on. */
    stateReason: text('state_reason'),
    /** Networks of the voter, nearest first, each hashed with the key of the round: comparable within a round only. */
    networks: bytea('networks').array(),
    /** Null for votes from before this column. */
    roundId: uuid('round_id'),
    /** State and reason before the ban of its member voided it. */
    bannedState: text('banned_state').$type<VoteState>(),
    bannedReason: text('banned_reason'),
    /** Present while its candidate has this generation; otherwise a reset removed it. */
    generation: integer('generation').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.id, table.votedOn] })],
);

/**
 * Counted votes of past months, up to 2,000 per row. They are in every total as before, under the generation that they had; their
 * voters are not stored.
 */
export const carriedVotes = pgTable(
  'carried_votes',
  {
    candidateId: uuid('candidate_id')
      .notNull()
      .references(() => votingCandidates.id, { onDelete: 'cascade' }),
    generation: integer('generation').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    piece: integer('piece').notNull(),
    votes: integer('votes').notNull(),
    /** The time of the newest of them. */
    newestAt: moment('newest_at').notNull(),
    /** The ledger leaf that counted each of them. */
    leaves: bigCount('leaves').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.candidateId, table.generation, table.day, table.piece] })],
);

/** Votes that no reset removed: for all queries except those about the removed ones. */
export const presentVotes = pgView('present_votes', {
  id: bigCount('id').notNull(),
  candidateId: uuid('candidate_id').notNull(),
  userId: uuid('user_id').notNull(),
  votedOn: date('voted_on', { mode: 'string' }).notNull(),
  createdAt: moment('created_at').notNull(),
  state: text('state', { enum: VOTE_STATES }).notNull(),
  stateReason: text('state_reason'),
  networks: bytea('networks').array(),
  roundId: uuid('round_id'),
  bannedState: text('banned_state').$type<VoteState>(),
  bannedReason: text('banned_reason'),
  generation: integer('generation').notNull(),
}).existing();

/**
 * A row for every change of a vote's state, including its cast, in the transaction of the change; the process that writes the
 * ledger reads and deletes them. Rows of deleted votes are written by the trigger `votes_withdrawn`.
 */
export const voteChanges = pgTable('vote_changes', {
  id: bigCount('id').primaryKey().generatedAlwaysAsIdentity(),
  voteId: bigCount('vote_id').notNull(),
  roundId: uuid('round_id'),
  candidateId: uuid('candidate_id').notNull(),
  userId: uuid('user_id').notNull(),
  votedOn: date('voted_on', { mode: 'string' }).notNull(),
  state: text('state', { enum: [...VOTE_STATES, 'withdrawn'] }).notNull(),
  reason: text('reason'),
  changedAt: moment('changed_at').notNull().default(sql`clock_timestamp()`),
  /** Generation of an existing vote; null for a cast. */
  generation: integer('generation'),
  /** The state before the change. */
  was: text('was').$type<VoteState>(),
  /** True when the vote no longer exists. */
  gone: boolean('gone').notNull().default(false),
});

/** A reset or its undo in the queue of changes: all votes of these generations, appended to the ledger in batches. */
export const voteMoves = pgTable('vote_moves', {
  id: bigCount('id').primaryKey().default(sql`nextval('vote_changes_id_seq')`),
  candidateId: uuid('candidate_id').notNull(),
  generations: integer('generations').array().notNull(),
  back: boolean('back').notNull(),
  /** Their number. */
  votes: integer('votes').notNull(),
  doneTo: bigCount('done_to').notNull().default(0),
  /** Number of its rows in `carriedVotes` that were appended. */
  carriedTo: integer('carried_to').notNull().default(0),
  movedAt: moment('moved_at').notNull().default(sql`clock_timestamp()`),
});

/** Votes per candidate and UTC day, updated by the statement that writes the votes. */
export const candidateDailyVotes = pgTable(
  'candidate_daily_votes',
  {
    candidateId: uuid('candidate_id')
      .notNull()
      .references(() => votingCandidates.id, { onDelete: 'cascade' }),
    day: date('day', { mode: 'string' }).notNull(),
    votes: integer('votes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.candidateId, table.day] })],
);

/** One row per reset of a candidate's votes; remains when its votes are deleted or restored. */
export const voteResets = pgTable('vote_resets', {
  id: uuid('id').primaryKey().defaultRandom(),
  candidateId: uuid('candidate_id')
    .notNull()
    .references(() => votingCandidates.id, { onDelete: 'cascade' }),
  votes: integer('votes').notNull(),
  reason: text('reason'),
  resetAt: moment('reset_at').notNull().defaultNow(),
  resetBy: uuid('reset_by').references(() => users.id, { onDelete: 'set null' }),
  undoneAt: moment('undone_at'),
  undoneBy: uuid('undone_by').references(() => users.id, { onDelete: 'set null' }),
  /** Generations that it removed; null for a reset from before generations, whose votes are in `archivedVotes`. */
  generations: integer('generations').array(),
  /** Counts that an undo would restore now; under review and void: of the open round. */
  totalVotes: integer('total_votes').notNull().default(0),
  votesUnderReview: integer('votes_under_review').notNull().default(0),
  votesVoid: integer('votes_void').notNull().default(0),
  /** When its votes were deleted permanently. */
  emptiedAt: moment('emptied_at'),
});

/** The counted votes of a reset, by their UTC day. */
export const voteResetDays = pgTable(
  'vote_reset_days',
  {
    resetId: uuid('reset_id')
      .notNull()
      .references(() => voteResets.id, { onDelete: 'cascade' }),
    day: date('day', { mode: 'string' }).notNull(),
    votes: integer('votes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.resetId, table.day] })],
);

/** The votes of a reset from before generations, retained for 30 days. */
export const archivedVotes = pgTable(
  'archived_votes',
  {
    resetId: uuid('reset_id')
      .notNull()
      .references(() => voteResets.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    votedOn: date('voted_on', { mode: 'string' }).notNull(),
    createdAt: moment('created_at').notNull(),
    /** Its state before; a restored vote gets it again. */
    state: text('state', { enum: VOTE_STATES }).notNull().default('counted'),
    stateReason: text('state_reason'),
    roundId: uuid('round_id'),
    bannedState: text('banned_state').$type<VoteState>(),
    bannedReason: text('banned_reason'),
  },
  (table) => [primaryKey({ columns: [table.resetId, table.votedOn, table.userId] })],
);

/** Every candidate that is not deleted (including inactive ones), with the votes of the current UTC day. */
export const votingCandidatesWithStats = pgView('voting_candidates_with_stats', {
  id: uuid('id').notNull(),
  tokenName: text('token_name').notNull(),
  tokenSymbol: text('token_symbol').notNull(),
  tokenSlug: text('token_slug').notNull(),
  description: text('description'),
  descriptionFull: text('description_full'),
  imageUrl: text('image_url'),
  contractAddress: text('contract_address'),
  ...linkColumns(),
  orderIndex: integer('order_index').notNull(),
  isActive: boolean('is_active').notNull(),
  totalVotes: integer('total_votes').notNull(),
  votesToday: integer('votes_today').notNull(),
  price: figure('price'),
  volume24h: figure('volume_24h'),
  marketCap: figure('market_cap'),
  maxSupply: figure('max_supply'),
  holdersCount: integer('holders_count'),
  createdAt: moment('created_at').notNull(),
}).existing();

/** A voter's ticket of a vote, which can be shared; it outlives the vote. */
export const voteTickets = pgTable('vote_tickets', {
  id: uuid('id').primaryKey().defaultRandom(),
  voteId: bigCount('vote_id').notNull().unique(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  candidateId: uuid('candidate_id')
    .notNull()
    .references(() => votingCandidates.id, { onDelete: 'cascade' }),
  votedOn: date('voted_on', { mode: 'string' }).notNull(),
  /** Position of the vote among those of its candidate when the ticket was created. */
  number: integer('number').notNull(),
  /** Rank of the candidate at that time. */
  rank: integer('rank').notNull(),
  roundNumber: integer('round_number'),
  keptAt: moment('kept_at').notNull(),
  /** State of its vote when the votes of its month were carried; null while the vote exists. */
  carriedState: text('carried_state').$type<VoteState>(),
  carriedGeneration: integer('carried_generation'),
});
