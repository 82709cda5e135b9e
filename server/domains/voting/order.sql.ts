import { type SQL, sql } from 'drizzle-orm';

/**
 * The order of candidates, everywhere in public and for the winner (AMB-211): most votes first; of two equal totals the one
 * that was reached earlier. A total without a moment is older than all that have one. What follows only settles what cannot
 * be settled by votes. The filtered list of candidates has the same order (`server/domains/tokens/explore.sql.ts`, whose test
 * compares the two). No index has it: each vote would write all indexes of its candidate.
 *
 * @param table name or alias of `voting_candidates` in the statement.
 */
export const votesOrder = (table = 'voting_candidates'): string =>
  `${table}.total_votes desc, ${table}.total_reached_at asc nulls first, ${table}.created_at asc, ${table}.id asc`;

/** The same for a query of the builder. */
export const byVotes = (table?: string): SQL => sql.raw(votesOrder(table));

/** Candidates that can be voted for: a certified winner waits for its graduation. */
export const COMPETING_SQL = 'is_active and deleted_at is null and certified_round_id is null';

/** The same for a query of the builder. */
export const COMPETING: SQL = sql.raw(COMPETING_SQL);

/** A moment as text that sorts as the moment does, to the microsecond; what open screens order by (`byRank`). */
export const exactMoment = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
