import { ORPCError } from '@orpc/server';
import { sql } from 'drizzle-orm';
import type { Limit } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import { fail } from '#server/lib/fail.ts';

export interface Take {
  /** What is counted, such as 'sign-in:address:203.0.113.9'. */
  key: string;
  limit: Limit;
}

/**
 * Counts one try against each limit, shared by all processes; the try counts even when it is refused.
 *
 * @throws RATE_LIMITED with the seconds until the last full limit frees itself.
 */
export async function takeLimits(db: Reader, takes: Take[], now: Date): Promise<void> {
  // Sorted keys: two requests never lock the same rows in opposite order.
  const sorted = takes.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const values = sql.join(
    sorted.map(
      ({ key, limit }) => sql`(${key}, 1, ${now.toISOString()}::timestamptz + make_interval(secs => ${limit.seconds}))`,
    ),
    sql`, `,
  );
  const { rows } = await db.execute<{ key: string; hits: number; seconds: number }>(sql`
    insert into rate_limits as l (key, hits, window_ends) values ${values}
    on conflict (key) do update set
      hits = case when l.window_ends <= ${now.toISOString()}::timestamptz then 1 else l.hits + 1 end,
      window_ends = case when l.window_ends <= ${now.toISOString()}::timestamptz then excluded.window_ends else l.window_ends end
    returning key, hits, ceil(extract(epoch from window_ends - ${now.toISOString()}::timestamptz))::int as seconds`);
  const full = rows.filter((row) => {
    const take = sorted.find(({ key }) => key === row.key);
    return take !== undefined && row.hits > take.limit.hits;
  });
  if (full.length > 0) fail('RATE_LIMITED', { retryAfter: Math.max(1, ...full.map((row) => row.seconds)) });
}

/** Seconds after which a refused try may be made again; undefined for every other failure. */
export function secondsToWait(error: unknown): number | undefined {
  if (!(error instanceof ORPCError) || error.code !== 'RATE_LIMITED') return undefined;
  return (error.data as { retryAfter?: number } | undefined)?.retryAfter ?? 1;
}

/**
 * Refuses like `takeLimits`, but counts nothing: for work that counts only once it succeeded.
 *
 * @throws RATE_LIMITED with the seconds until the last full limit frees itself.
 */
export async function checkLimits(db: Reader, takes: Take[], now: Date): Promise<void> {
  const { rows } = await db.execute<{ key: string; hits: number; seconds: number }>(sql`
    select key, hits, ceil(extract(epoch from window_ends - ${now.toISOString()}::timestamptz))::int as seconds
    from rate_limits where window_ends > ${now.toISOString()}::timestamptz
      and key in (${sql.join(
        takes.map(({ key }) => sql`${key}`),
        sql`, `,
      )})`);
  const full = rows.filter(({ key, hits }) => takes.some((take) => take.key === key && hits >= take.limit.hits));
  if (full.length > 0) fail('RATE_LIMITED', { retryAfter: Math.max(1, ...full.map((row) => row.seconds)) });
}
