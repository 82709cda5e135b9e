import { type SQL, sql } from 'drizzle-orm';

/**
 * The order of candidates, in public lists and for the winner (AMB-211): most votes first; of two equal totals the one that was
 * reached earlier. A total without a stored moment is older than all that have one. The remaining columns only break ties that
 * votes can't. The filtered list of candidates uses the same order (`server/domains/tokens/explore.sql.ts`, whose test compares the
 * two). There is no index for it: each vote would update all indexes of its candidate.
 *
 * @param table name or alias of `voting_candidates` in the statement.
 */
export const votesOrder = (table = 'voting_candidates'): string =>
  `${table}.total_votes desc, ${table}.total_reached_at asc nulls first, ${table}.created_at asc, ${table}.id asc`;

/** The same for a query of the query builder. */
export const byVotes = (table?: string): SQL => sql.raw(votesOrder(table));

/** Condition for candidates that can be voted for: a certified winner is excluded until its graduation. */
export const COMPETING_SQL = 'is_active and deleted_at is null and certified_round_id is null';

/** The same for a query of the query builder. */
export const COMPETING: SQL = sql.raw(COMPETING_SQL);

/** A timestamp as text that sorts chronologically, to the microsecond; open screens order by it (`byRank`). */
export const exactMoment = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
