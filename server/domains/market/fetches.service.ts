import { randomUUID } from 'node:crypto';
import { and, eq, gt, inArray, isNull, ne, sql } from 'drizzle-orm';
import { MARKET } from '#contract/limits.ts';
import type { Network } from '#contract/networks.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { marketFetches, marketSources } from '#server/db/tables/market.ts';
import { consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { backoffMs, type FetchKind, nextFetch, type Source } from './fetch-intervals.policy.ts';
import { claimFetches, finishFetches, insertDueFetches, recordAnswer } from './fetches.sql.ts';

/** Duration of a claim; far longer than all of its requests may take. Seconds. */
const CLAIM_SECONDS = 180;
/** New tokens per run: more than can be fetched in one minute. */
const MAX_PLANNED = 5_000;

/** Tokens that no other process fetches until the claim is settled. */
export interface Claim {
  id: string;
  kind: FetchKind;
  network: Network;
  tokens: { address: string; misses: number }[];
}

/** Creates the scheduled fetches of every public token, once each; existing ones are not changed. Limited per run. */
export async function planFetches(db: Db, now: Date): Promise<void> {
  await insertDueFetches(db, { now, max: MAX_PLANNED });
}

/** The tokens of one network that have waited longest; null when none is due. A claim that is not settled expires. */
export async function claimDue(db: Db, kind: FetchKind, max: number, now: Date): Promise<Claim | null> {
  const id = randomUUID();
  const until = new Date(now.getTime() + CLAIM_SECONDS * 1_000);
  const tokens = await claimFetches(db, { claim: id, until, kind, now, max });
  const [first] = tokens;
  return first ? { id, kind, network: first.network, tokens } : null;
}

/** Releases a claim; its tokens remain due. */
export async function releaseClaim(db: Reader, { id }: Pick<Claim, 'id'>): Promise<void> {
  await db.update(marketFetches).set({ claim: null, claimedUntil: null }).where(eq(marketFetches.claim, id));
}

/**
 * Records the outcome for some tokens of a claim, and when they are due again.
 *
 * @returns the tokens still under this claim: after an expired claim, another process may have stored newer values.
 */
export async function settle(
  tx: Tx,
  claim: Claim,
  addresses: readonly string[],
  outcome: 'known' | 'unknown' | 'failed',
  now: Date,
  random: () => number,
): Promise<Set<string>> {
  const wanted = claim.tokens.filter(({ address }) => addresses.includes(address));
  if (wanted.length === 0) return new Set();
  const due = wanted.map(({ address, misses }) => {
    const missed = outcome === 'known' ? 0 : misses + 1;
    return { address, missed, nextAt: new Date(now.getTime() + nextFetch(claim.kind, missed, random)) };
  });
  const ours = await finishFetches(tx, {
    claim: claim.id,
    network: claim.network,
    kind: claim.kind,
    addresses: due.map(({ address }) => address),
    misses: due.map(({ missed }) => missed),
    nextAt: due.map(({ nextAt }) => nextAt),
    answeredAt: outcome === 'failed' ? null : now,
  });
  const known = new Set(ours.map(({ address }) => address));
  // The token has begun to trade: its other fetches, whose intervals had grown, become due now.
  const began = wanted.filter(({ address, misses }) => misses > 0 && known.has(address));
  if (outcome === 'known' && claim.kind === 'prices' && began.length > 0)
    await tx
      .update(marketFetches)
      .set({ nextAt: now, misses: 0 })
      .where(
        and(
          eq(marketFetches.network, claim.network),
          inArray(
            marketFetches.address,
            began.map(({ address }) => address),
          ),
          ne(marketFetches.kind, 'prices'),
          gt(marketFetches.misses, 0),
          isNull(marketFetches.claim),
          sql`${marketFetches.nextAt} < 'infinity'`,
        ),
      );
  return known;
}

/** True when a provider may be called now: it is not paused, and the limit per minute is not reached. Counts the call. */
export async function mayFetch(db: Db, source: Source, now: Date): Promise<boolean> {
  if (await pausedUntil(db, source, now)) return false;
  const limit = { hits: MARKET.perMinute[source], seconds: 60 };
  try {
    await consumeRateLimits(db, [{ key: `market:${source}`, limit }], now);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'RATE_LIMITED') return false;
    throw error;
  }
}

/** Pauses calls to a provider in all processes, longer with each consecutive failure. */
export function pauseSource(
  db: Db,
  source: Source,
  retryAfter: number | null,
  now: Date,
  random: () => number,
): Promise<{ failures: number; until: Date }> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(marketSources)
      .values({ source, failures: 1, failedAt: now })
      .onConflictDoUpdate({
        target: marketSources.source,
        set: { failures: sql`${marketSources.failures} + 1`, failedAt: now },
      })
      .returning({ failures: marketSources.failures, until: marketSources.pausedUntil });
    const failures = row?.failures ?? 1;
    const before = row?.until?.getTime() ?? 0;
    // Another process may have received a longer Retry-After.
    const until = new Date(Math.max(before, now.getTime() + backoffMs(failures, retryAfter, random)));
    await tx.update(marketSources).set({ pausedUntil: until }).where(eq(marketSources.source, source));
    return { failures, until };
  });
}

/** Records a successful response. @returns true when the provider had failed before. */
export async function sourceAnswered(db: Db, source: Source, now: Date): Promise<boolean> {
  const [answered] = await recordAnswer(db, { source, now });
  return answered?.back ?? false;
}

/** When a failing provider is called again; null when it is not paused. */
export async function pausedUntil(db: Reader, source: Source, now: Date): Promise<string | null> {
  const [row] = await db
    .select({ until: marketSources.pausedUntil })
    .from(marketSources)
    .where(and(eq(marketSources.source, source), gt(marketSources.pausedUntil, now)));
  return row?.until?.toISOString() ?? null;
}
