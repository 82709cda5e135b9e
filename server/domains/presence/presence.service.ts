import { and, countDistinct, desc, eq, gt, inArray } from 'drizzle-orm';
import type { OnlineUser } from '#contract/domains/presence.ts';
import { ONLINE_MINUTES } from '#contract/limits.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { userConnections } from '#server/db/tables/presence.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { publishChange } from '#server/live/publish.ts';
import { lockOwnSession, readOnline } from './presence.sql.ts';

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

/**
 * Records the heartbeat of a member's tab; a live event is published only when the member was not online before. The tab ends with
 * its session at the latest. Not audited.
 *
 * @throws UNAUTHORIZED when the session was ended a moment ago.
 */
export async function seeTab(
  db: Db,
  { id: userId, sessionId: authSessionId }: Pick<Viewer, 'id' | 'sessionId'>,
  { sessionId, waitsFor = null }: { sessionId: string; waitsFor?: string | null | undefined },
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    // Locked until the tab is stored.
    if ((await lockOwnSession(tx, { user: userId, session: authSessionId })).length === 0) fail('UNAUTHORIZED');
    const before = await isOnline(tx, userId, now);
    const { lastSeen } = userConnections;
    await tx
      .insert(userConnections)
      .values({ userId, sessionId, isOnline: true, connectedAt: now, lastSeen: now, authSessionId, waitsFor })
      .onConflictDoUpdate({
        target: [userConnections.userId, userConnections.sessionId],
        set: { isOnline: true, lastSeen: now, authSessionId, waitsFor },
      });
    const own = eq(userConnections.userId, userId);
    const older = tx
      .select({ id: userConnections.sessionId })
      .from(userConnections)
      .where(own)
      .orderBy(desc(lastSeen))
      .offset(TABS);
    await tx.delete(userConnections).where(and(own, inArray(userConnections.sessionId, older)));
    if (!before) await publishChange(tx, 'presence');
  });
}

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

/** Visible members seen within 5 minutes, by name. */
export async function onlineUsers(db: Reader, now: Date): Promise<{ data: OnlineUser[]; total: number }> {
  const rows = await readOnline(db, { since: since(now), max: MAX_SHOWN });
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
