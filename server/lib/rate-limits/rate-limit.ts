import { ORPCError } from '@orpc/server';
import type { Limit } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { networksOf } from '#server/lib/network/address.ts';
import { consumeOneSize, consumeThreeSizes, consumeTwoSizes, readRunning, returnHits } from './rate-limit.sql.ts';

export interface LimitUse {
  /** Counter, such as 'sign-in:minute:203.0.113.9'. */
  key: string;
  limit: Limit;
  /**
   * Size of the group that is counted, 0 by default. A request counts in a larger group only if no smaller one refuses
   * it: otherwise one visitor beyond the limit would use up the allowance of the whole network.
   */
  size?: number;
}

/**
 * The counters of an address and of its networks, which have larger limits (`networksOf`).
 *
 * @param name what is counted, such as 'sign-in:minute'.
 * @param limit limit of one address.
 */
export const addressLimits = (name: string, address: string, limit: Limit): LimitUse[] =>
  networksOf(address).map(({ key, factor }, size) => ({
    key: `${name}:${key}`,
    limit: { hits: limit.hits * factor, seconds: limit.seconds },
    size,
  }));

/**
 * Counts one request against each limit, shared by all processes. A refused request counts as well, except in groups
 * larger than the one that refuses it.
 *
 * @throws RATE_LIMITED with the seconds until the last exceeded limit resets.
 */
export async function consumeRateLimits(db: Reader, takes: LimitUse[], now: Date): Promise<void> {
  const sizes = [...new Set(takes.map(({ size = 0 }) => size))].sort((a, b) => a - b);
  const consume = BY_SIZES[sizes.length - 1];
  if (!consume) throw new RangeError(`${sizes.length} group sizes`);
  const full = await consume(db, {
    keys: takes.map(({ key }) => key),
    sizes: takes.map(({ size = 0 }) => sizes.indexOf(size)),
    max: takes.map(({ limit }) => limit.hits),
    seconds: takes.map(({ limit }) => limit.seconds),
    now,
  });
  if (full.length > 0) fail('RATE_LIMITED', { retryAfter: Math.max(1, ...full.map((row) => row.seconds)) });
}

/** Statements by the number of distinct group sizes; an address has at most three. */
const BY_SIZES = [consumeOneSize, consumeTwoSizes, consumeThreeSizes];

/** Subtracts one hit from each limit, for an action that was counted but did not take place. */
export async function returnLimits(db: Reader, takes: LimitUse[], now: Date): Promise<void> {
  await returnHits(db, { keys: takes.map(({ key }) => key).toSorted(), now });
}

/** Seconds until a refused request may be repeated; undefined for all other errors. */
export function secondsToWait(error: unknown): number | undefined {
  if (!(error instanceof ORPCError) || error.code !== 'RATE_LIMITED') return undefined;
  return (error.data as { retryAfter?: number } | undefined)?.retryAfter ?? 1;
}

/**
 * Counts one request against each limit like `consumeRateLimits`, for callers that continue differently beyond a limit.
 *
 * @returns false if a limit is exceeded.
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
 * Refuses like `consumeRateLimits` but counts nothing: for work that is counted only after it succeeded.
 *
 * @throws RATE_LIMITED with the seconds until the last exceeded limit resets.
 */
export async function checkLimits(db: Reader, takes: LimitUse[], now: Date): Promise<void> {
  const rows = await readRunning(db, { keys: takes.map(({ key }) => key), now });
  const full = rows.filter(({ key, hits }) => takes.some((take) => take.key === key && hits >= take.limit.hits));
  if (full.length > 0) fail('RATE_LIMITED', { retryAfter: Math.max(1, ...full.map((row) => row.seconds)) });
}
