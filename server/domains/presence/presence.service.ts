import { and, countDistinct, eq, gt } from 'drizzle-orm';
import type { Pool } from 'pg';
import { ONLINE_MINUTES } from '#contract/limits.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { userConnections } from '#server/db/tables/presence.ts';
import { retryConflicts } from '#server/db/transaction.ts';
import { createBatcher } from '#server/lib/concurrency/batch.ts';
import { singleFlight } from '#server/lib/concurrency/single-flight.ts';
import { fail, failure } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import { openLockedTabs, openUnlockedTabs, touchTabs } from './heartbeats.sql.ts';
import type { Heartbeat, Online, PresenceService } from './presence.port.ts';
import { readOnline } from './presence.sql.ts';

/** Maximum number of open tabs per member; the oldest are dropped. */
const TABS = 20;
/** Names in the panel. */
const MAX_SHOWN = 100;

const since = (now: Date) => new Date(now.getTime() - ONLINE_MINUTES * 60_000);

/** True when a member has an open tab. */
async function isOnline(tx: Tx, member: string, now: Date): Promise<boolean> {
  const { userId, isOnline: open, lastSeen } = userConnections;
  const found = await tx
    .select({ userId })
    .from(userConnections)
    .where(and(eq(userId, member), eq(open, true), gt(lastSeen, since(now))))
    .limit(1);
  return found.length > 0;
}

/** Creates the service of a process. @param now its clock. */
export function createPresenceService(pool: Pool, now: () => Date): PresenceService {
  const group = { maxBatchSize: 500, workers: 1, queue: 20_000, overflow: () => failure('BUSY', { retryAfter: 5 }) };
  const open = createBatcher<Heartbeat, void>((beats) => openTogether(pool, now(), beats), group);
  const see = createBatcher<Heartbeat, void>((beats) => touchTogether(pool, now(), beats, open), group);
  const online = singleFlight(() => onlineUsers(pool, now()));
  return { see, online: () => online(null) };
}

/**
 * Heartbeats that arrive together share one statement, because nearly all of them only move the time of a tab that is open.
 *
 * @param open handles the others: new tabs, tabs that were closed or are locked, ended sessions.
 */
async function touchTogether(
  pool: Pool,
  now: Date,
  beats: Heartbeat[],
  open: (beat: Heartbeat) => Promise<void>,
): Promise<(Error | Promise<void> | undefined)[]> {
  const [first] = beats;
  if (!first) return [];
  const { hits: maxHits, seconds } = first.limit;
  const rows = await retryConflicts(() => touchTabs(pool, { ...columnsOf(beats, now), maxHits, seconds }));
  const answers: (Error | Promise<void> | undefined)[] = Array(beats.length);
  for (const { index, touched, retryAfter } of rows) {
    const beat = beats[index - 1];
    if (!beat) continue;
    if (retryAfter > 0) answers[index - 1] = failure('RATE_LIMITED', { retryAfter });
    else if (!touched) answers[index - 1] = open(beat);
  }
  return answers;
}

async function openTogether(pool: Pool, now: Date, beats: Heartbeat[]): Promise<(Promise<void> | undefined)[]> {
  const rows = await retryConflicts(() => openUnlockedTabs(pool, { ...columnsOf(beats, now), max: TABS }));
  const answers: (Promise<void> | undefined)[] = Array(beats.length);
  for (const { index, valid } of rows) {
    const beat = beats[index - 1];
    // Not together, because a transaction that ends a session may take long, and the other members must not wait for it.
    if (beat && !valid) answers[index - 1] = openAlone(pool, now, beat);
  }
  return answers;
}

/** @throws UNAUTHORIZED when the session has ended. */
async function openAlone(pool: Pool, now: Date, beat: Heartbeat): Promise<void> {
  const [row] = await retryConflicts(() => openLockedTabs(pool, { ...columnsOf([beat], now), max: TABS }));
  if (!row?.valid) fail('UNAUTHORIZED');
}

const columnsOf = (beats: Heartbeat[], now: Date) => ({
  members: beats.map((beat) => beat.userId),
  tabs: beats.map((beat) => beat.tabId),
  sessions: beats.map((beat) => beat.authSessionId),
  waits: beats.map((beat) => beat.waitsFor),
  now,
  since: since(now),
});

/** Closes a tab, or all tabs of the member when none is given. */
export async function closeTab(db: Db, userId: string, sessionId: string | undefined, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(userConnections)
      .set({ isOnline: false })
      .where(
        and(
          eq(userConnections.userId, userId),
          eq(userConnections.isOnline, true),
          sessionId ? eq(userConnections.sessionId, sessionId) : undefined,
        ),
      );
    // Already closed: there is nothing to publish.
    if (!rowCount) return;
    if (!(await isOnline(tx, userId, now))) await publishChange(tx, 'presence');
  });
}

async function onlineUsers(pool: Pool, now: Date): Promise<Online> {
  const rows = await readOnline(pool, { since: since(now), max: MAX_SHOWN });
  return {
    data: rows.map(({ username, shortId, lastSeen }) => ({ username, shortId, lastSeen: lastSeen.toISOString() })),
    total: rows[0]?.total ?? 0,
  };
}

/** A waiting tab sends a heartbeat every 30 seconds: one without a heartbeat for this long is closed. Milliseconds. */
const WAITS_MS = 90_000;

/** Number of members with a tab that waits for a launch, each counted once. */
export async function waitingFor(db: Reader, nextProject: string, now: Date): Promise<number> {
  const { userId, isOnline: open, lastSeen, waitsFor } = userConnections;
  const [row] = await db
    .select({ waiting: countDistinct(userId) })
    .from(userConnections)
    .where(and(eq(waitsFor, nextProject), eq(open, true), gt(lastSeen, new Date(now.getTime() - WAITS_MS))));
  return row?.waiting ?? 0;
}
