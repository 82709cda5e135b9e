import { type SQL, sql } from 'drizzle-orm';

/**
 * Current time for the voting rules: null for the database's own clock, so that processes with different clocks agree;
 * a fixed instant in tests.
 */
export type Present = Date | null;

/**
 * SQL expression for the current time, evaluated when the statement reaches it (`clock_timestamp()`), not when the
 * transaction began.
 */
export const presentIn = (present: Present): SQL =>
  sql`coalesce(${present?.toISOString() ?? null}::timestamptz, clock_timestamp())`;

/** UTC calendar day of an instant, YYYY-MM-DD. Voting days run from 00:00 to 24:00 UTC. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10);

/** First instant of the UTC day after an instant. */
export const nextUtcDay = (at: Date): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1));

/** The last `count` UTC days up to and including the day of `at`, oldest first. */
export function lastUtcDays(at: Date, count: number): string[] {
  const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
  return Array.from({ length: count }, (_, i) => utcDay(new Date(midnight - (count - 1 - i) * 86_400_000)));
}

/** The Monday of the week of an instant, some weeks before, UTC: YYYY-MM-DD. */
export function monday(at: Date, weeksBefore = 0): string {
  const sinceMonday = (at.getUTCDay() + 6) % 7;
  return utcDay(new Date(at.getTime() - (sinceMonday + weeksBefore * 7) * 86_400_000));
}
