import { ORPCError } from '@orpc/server';
import { type SQL, sql } from 'drizzle-orm';
import type { Limit } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import { networksOf } from './address.ts';
import { fail } from './fail.ts';

export interface Take {
  /** What is counted, such as 'sign-in:minute:203.0.113.9'. */
  key: string;
  limit: Limit;
  /**
   * How large the group is that is counted; 0 when left out. A try counts in a larger group only when no smaller one
   * refuses it: else one visitor past the limit would use up the allowance of all the neighbours.
   */
  size?: number;
}

/**
 * The takes of an address and of the networks it lies in, which have larger allowances (`networksOf`).
 *
 * @param name what is counted, such as 'sign-in:minute'.
 * @param limit of one address.
 */
export const addressTakes = (name: string, address: string, limit: Limit): Take[] =>
  networksOf(address).map(({ key, factor }, size) => ({
    key: `${name}:${key}`,
    limit: { hits: limit.hits * factor, seconds: limit.seconds },
    size,
  }));

/**
 * Counts one try against each limit, shared by all processes; the try counts even when it is refused, except in larger
 * groups than the one that refuses it.
 *
 * @throws RATE_LIMITED with the seconds until the last full limit frees itself.
 */
export async function consumeRateLimits(db: Reader, takes: Take[], now: Date): Promise<void> {
  const sizes = [...new Set(takes.map(({ size = 0 }) => size))].sort((a, b) => a - b);
  const at = sql`${now.toISOString()}::timestamptz`;
  const values = takes.map(
    ({ key, limit, size = 0 }) => sql`(${key}, ${size}::int, ${limit.hits}::int, ${limit.seconds}::int)`,
  );
  const { rows } = await db.execute<{ seconds: number }>(sql`
    with asked (key, size, most, seconds) as (values ${sql.join(values, sql`, `)}),
    ${sql.join(
      sizes.map((size, i) => countOf(size, sizes[i - 1], at)),
      sql`, `,
    )}
    select ceil(extract(epoch from window_ends - ${at}))::int as seconds from (${sql.join(
      sizes.map((size) => sql`select * from ${nameOf(size)}`),
      sql` union all `,
    )}) as counted where hits > most`);
  if (rows.length > 0) fail('RATE_LIMITED', { retryAfter: Math.max(1, ...rows.map((row) => row.seconds)) });
}

/** Takes one try back from each limit: what was counted did not happen in the end. */
export async function returnLimits(db: Reader, takes: Take[], now: Date): Promise<void> {
  const keys = sql.param(takes.map(({ key }) => key).toSorted());
  await db.execute(sql`
    update rate_limits set hits = hits - 1 where hits > 0 and window_ends > ${now.toISOString()}::timestamptz
      and key in (select key from rate_limits where key = any(${keys}::text[]) order by key for update)`);
}

const nameOf = (size: number): SQL => sql.identifier(`counted_${size}`) as unknown as SQL;

/** Counts the takes of one size, unless one of the size before refuses. */
function countOf(size: number, before: number | undefined, at: SQL): SQL {
  // The aggregate reads the count before to its end, so rows are locked by size first and then by key: two requests never
  // lock the same ones in opposite order.
  const allowed =
    before === undefined ? sql`true` : sql`(select coalesce(bool_and(hits <= most), false) from ${nameOf(before)})`;
  return sql`${sql.identifier(`taken_${size}`)} as (
      insert into rate_limits as l (key, hits, window_ends)
      select key, 1, ${at} + make_interval(secs => seconds) from asked where size = ${size}::int and ${allowed} order by key
      on conflict (key) do update set
        hits = case when l.window_ends <= ${at} then 1 else l.hits + 1 end,
        window_ends = case when l.window_ends <= ${at} then excluded.window_ends else l.window_ends end
      returning key, hits, window_ends),
    ${nameOf(size)} as (
      select t.key, t.hits, t.window_ends, a.most from ${sql.identifier(`taken_${size}`)} t join asked a using (key))`;
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
