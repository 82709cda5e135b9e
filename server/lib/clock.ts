import { type SQL, sql } from 'drizzle-orm';

/**
 * What rules of voting take for the present: null where the database's own clock says it, whatever this process thinks; an
 * instant that a test set.
 */
export type Present = Date | null;

/** The present as a statement reads it, when the statement comes to it. */
export const presentIn = (present: Present): SQL =>
  sql`coalesce(${present?.toISOString() ?? null}::timestamptz, clock_timestamp())`;

/** UTC calendar day of an instant, YYYY-MM-DD. Voting days run from 00:00 to 24:00 UTC. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10);

/** First instant of the UTC day after an instant. */
export const nextUtcDay = (at: Date): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1));

/** The last `count` UTC days up to and with the day of `at`, oldest first. */
export function lastUtcDays(at: Date, count: number): string[] {
  const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
  return Array.from({ length: count }, (_, i) => utcDay(new Date(midnight - (count - 1 - i) * 86_400_000)));
}
