import { type SQL, sql } from 'drizzle-orm';

/**
 * A fixed instant that tests use as the current time of the voting rules. Null in production: the database's own clock applies, so
 * that processes with different clocks agree.
 */
export type FixedNow = Date | null;

/**
 * SQL expression for the current time, evaluated when the statement reaches it (`clock_timestamp()`), not when the
 * transaction began.
 */
export const databaseNow = (fixedNow: FixedNow): SQL =>
  sql`coalesce(${fixedNow?.toISOString() ?? null}::timestamptz, clock_timestamp())`;

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
