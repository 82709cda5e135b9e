import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { MARKET } from '#contract/limits.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { consumeRateLimits } from '#server/lib/rate-limit.ts';
import type { MarketNetwork } from '#server/providers/market/port.ts';
import { type Ask, nextFetch, pauseOf, type Source } from './pace.policy.ts';

/** How long one process may take over one claim; far longer than all its questions may last. Seconds. */
const CLAIM = 180;
/** New tokens that one run takes up: more than one minute can ask about. */
const PLAN = 5_000;

/** Tokens that nobody else asks about until they are settled. */
export interface Claim {
  id: string;
  ask: Ask;
  network: MarketNetwork;
  tokens: { address: string; misses: number }[];
}

const at = (time: Date) => sql`${time.toISOString()}::timestamptz`;

/** Every token that the public sees gets its questions, each once; what is there already stays. Of too many some. */
export async function planFetches(db: Db, now: Date): Promise<void> {
  await db.execute(sql`
    insert into market_asks (network, address, ask, next_at)
    select t.network, t.address, a.ask, ${at(now)}
    from (
      select l.network, l.address from market_listings l
      where l.shown and not exists (
        select 1 from market_asks m where m.network = l.network and m.address = l.address and m.ask = 'prices')
      limit ${PLAN}
    ) t, (values ('prices'), ('pools'), ('holders')) a (ask)
    on conflict do nothing`);
}

/** The tokens of one network that have waited longest; null when none is due. A claim that was never settled runs out. */
export async function claimDue(db: Db, ask: Ask, most: number, now: Date): Promise<Claim | null> {
  const id = randomUUID();
  // With a limit the planner looks up those that come first, instead of joining all.
  const due = sql`m.ask = ${ask} and m.next_at <= ${at(now)} and (m.claimed_until is null or m.claimed_until <= ${at(now)})
    and (select true from market_listings l where l.network = m.network and l.address = m.address and l.shown limit 1)`;
  const { rows } = await db.execute<{ network: MarketNetwork; address: string; misses: number }>(sql`
    update market_asks u set claim = ${id}, claimed_until = ${at(new Date(now.getTime() + CLAIM * 1_000))}
    from (
      select m.network, m.address, m.ask from market_asks m
      where ${due} and m.network = (select m.network from market_asks m where ${due} order by m.next_at limit 1)
      order by m.next_at limit ${most} for update skip locked
    ) d
    where (u.network, u.address, u.ask) = (d.network, d.address, d.ask)
    returning u.network, u.address, u.misses`);
  const [first] = rows;
  return first ? { id, ask, network: first.network, tokens: rows } : null;
}

/** Gives a claim back; its tokens stay due. */
export async function releaseClaim(db: Reader, { id }: Pick<Claim, 'id'>): Promise<void> {
  await db.execute(sql`update market_asks set claim = null, claimed_until = null where claim = ${id}`);
}

/**
 * Says of some tokens of a claim how it went, and when they are due again.
 *
 * @returns those that were still ours: of a claim that ran out, somebody else may know newer values.
 */
export async function settle(
  tx: Tx,
  claim: Claim,
  addresses: readonly string[],
  outcome: 'known' | 'unknown' | 'failed',
  now: Date,
  chance: () => number,
): Promise<Set<string>> {
  const wanted = claim.tokens.filter(({ address }) => addresses.includes(address));
  if (wanted.length === 0) return new Set();
  const rows = wanted.map(({ address, misses }) => {
    const missed = outcome === 'known' ? 0 : misses + 1;
    return sql`(${address}, ${missed}::int, ${at(new Date(now.getTime() + nextFetch(claim.ask, missed, chance)))})`;
  });
  const { rows: ours } = await tx.execute<{ address: string }>(sql`
    update market_asks m set misses = v.misses, next_at = v.next_at, claim = null, claimed_until = null,
      answered_at = ${outcome === 'failed' ? sql`m.answered_at` : at(now)}
    from (values ${sql.join(rows, sql`, `)}) v (address, misses, next_at)
    where m.claim = ${claim.id} and m.network = ${claim.network} and m.ask = ${claim.ask} and m.address = v.address
    returning m.address`);
  const known = new Set(ours.map(({ address }) => address));
  // Begins to trade: what was asked less and less often is worth asking now.
  const began = wanted.filter(({ address, misses }) => misses > 0 && known.has(address));
  if (outcome === 'known' && claim.ask === 'prices' && began.length > 0)
    await tx.execute(sql`
      update market_asks set next_at = ${at(now)}, misses = 0
      where network = ${claim.network} and address in ${began.map(({ address }) => address)}
        and ask <> 'prices' and misses > 0 and claim is null and next_at < 'infinity'`);
  return known;
}

/** Whether a provider may be asked one more question now: it is not left alone, and this minute has room. Counts it. */
export async function mayFetch(db: Db, source: Source, now: Date): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from market_sources where source = ${source} and paused_until > ${at(now)}`);
  if (rows.length > 0) return false;
  const limit = { hits: MARKET.perMinute[source], seconds: 60 };
  try {
    await consumeRateLimits(db, [{ key: `market:${source}`, limit }], now);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'RATE_LIMITED') return false;
    throw error;
  }
}

/** Leaves a provider alone for a while, longer with each failure in a row; all processes do. */
export function pauseSource(
  db: Db,
  source: Source,
  retryAfter: number | null,
  now: Date,
  chance: () => number,
): Promise<{ failures: number; until: Date }> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ failures: number; until: Date | null }>(sql`
      insert into market_sources as s (source, failures, failed_at) values (${source}, 1, ${at(now)})
      on conflict (source) do update set failures = s.failures + 1, failed_at = excluded.failed_at
      returning failures, paused_until as until`);
    const failures = rows[0]?.failures ?? 1;
    const before = rows[0]?.until ? new Date(rows[0].until).getTime() : 0;
    // Another process may have received a longer wish.
    const until = new Date(Math.max(before, now.getTime() + pauseOf(failures, retryAfter, chance)));
    await tx.execute(sql`update market_sources set paused_until = ${at(until)} where source = ${source}`);
    return { failures, until };
  });
}

/** It answers. @returns whether it did not before. */
export async function sourceAnswered(db: Db, source: Source, now: Date): Promise<boolean> {
  const { rows } = await db.execute<{ back: boolean }>(sql`
    with before as (select failures from market_sources where source = ${source})
    insert into market_sources as s (source, answered_at) values (${source}, ${at(now)})
    on conflict (source) do update set failures = 0, paused_until = null, answered_at = excluded.answered_at
    returning coalesce((select failures > 0 from before), false) as back`);
  return rows[0]?.back ?? false;
}

/** When a provider is asked again that does not answer; null: it does. */
export async function pausedUntil(db: Reader, source: Source, now: Date): Promise<string | null> {
  const { rows } = await db.execute<{ until: Date }>(sql`
    select paused_until as until from market_sources where source = ${source} and paused_until > ${at(now)}`);
  return rows[0] ? new Date(rows[0].until).toISOString() : null;
}
