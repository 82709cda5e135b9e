import { ORPCError } from '@orpc/server';
import type { Limit } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { networksOf } from '#server/lib/network/address.ts';
import { consumeOneSize, consumeThreeSizes, consumeTwoSizes, readRunning, returnHits } from './rate-limit.sql.ts';

export interface LimitUse {
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
export const addressLimits = (name: string, address: string, limit: Limit): LimitUse[] =>
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
export async function consumeRateLimits(db: Reader, takes: LimitUse[], now: Date): Promise<void> {
  const sizes = [...new Set(takes.map(({ size = 0 }) => size))].sort((a, b) => a - b);
  const consume = BY_SIZES[sizes.length - 1];
  if (!consume) throw new RangeError(`${sizes.length} sizes of groups`);
  const full = await consume(db, {
    keys: takes.map(({ key }) => key),
    sizes: takes.map(({ size = 0 }) => sizes.indexOf(size)),
    most: takes.map(({ limit }) => limit.hits),
    seconds: takes.map(({ limit }) => limit.seconds),
    now,
  });
  if (full.length > 0) fail('RATE_LIMITED', { retryAfter: Math.max(1, ...full.map((row) => row.seconds)) });
}

/** By how many sizes of groups are counted; an address lies in three at most. */
const BY_SIZES = [consumeOneSize, consumeTwoSizes, consumeThreeSizes];

/** Takes one try back from each limit: what was counted did not happen in the end. */
export async function returnLimits(db: Reader, takes: LimitUse[], now: Date): Promise<void> {
  await returnHits(db, { keys: takes.map(({ key }) => key).toSorted(), now });
}

/** Seconds after which a refused try may be made again; undefined for every other failure. */
export function secondsToWait(error: unknown): number | undefined {
  if (!(error instanceof ORPCError) || error.code !== 'RATE_LIMITED') return undefined;
  return (error.data as { retryAfter?: number } | undefined)?.retryAfter ?? 1;
}

/**
 * Counts one try against each limit like `consumeRateLimits`, for callers that go on differently past a limit instead of
 * refusing.
 *
 * @returns false once a limit is full
 */
export async function withinRateLimits(db: Reader, takes: LimitUse[], now: Date): Promise<boolean> {
  try {
    await consumeRateLimits(db, takes, now);
    return true;
  } catch (error) {
    if (secondsToWait(error) === undefined) throw error;
    return false;
  }
}

/**
 * Refuses like `consumeRateLimits`, but counts nothing: for work that counts only once it succeeded.
 *
 * @throws RATE_LIMITED with the seconds until the last full limit frees itself.
 */
export async function checkLimits(db: Reader, takes: LimitUse[], now: Date): Promise<void> {
  const rows = await readRunning(db, { keys: takes.map(({ key }) => key), now });
  const full = rows.filter(({ key, hits }) => takes.some((take) => take.key === key && hits >= take.limit.hits));
  if (full.length > 0) fail('RATE_LIMITED', { retryAfter: Math.max(1, ...full.map((row) => row.seconds)) });
}
