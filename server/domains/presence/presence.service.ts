import { and, countDistinct, desc, eq, gt, inArray } from 'drizzle-orm';
import type { OnlineUser } from '#contract/domains/presence.ts';
import { ONLINE_MINUTES } from '#contract/limits.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { userConnections } from '#server/db/tables/presence.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { publishChange } from '#server/live/publish.ts';
import { lockOwnSession, readOnline } from './presence.sql.ts';

/** Tabs that one member may hold open; older ones give way. */
const TABS = 20;
/** Names in the panel. */
const MAX_SHOWN = 100;

const since = (now: Date) => new Date(now.getTime() - ONLINE_MINUTES * 60_000);

/** Whether a member has a tab open. */
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
 * A tab of a member says it is open; screens are notified of it only when the member was not online before. The tab lasts no longer
 * than the session it is open in. Not audited.
 *
 * @throws UNAUTHORIZED when the session ended a moment ago.
 */
export async function seeTab(
  db: Db,
  { id: userId, sessionId: authSessionId }: Pick<Viewer, 'id' | 'sessionId'>,
  { sessionId, waitsFor = null }: { sessionId: string; waitsFor?: string | null | undefined },
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    // Held until the tab is written.
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

/** A tab closes, or all tabs of the member when none is named. */
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
    // Closed before: no screen has anything to learn.
    if (!rowCount) return;
    if (!(await isOnline(tx, userId, now))) await publishChange(tx, 'presence');
  });
}

/** Members seen within 5 minutes who do not hide, in the order of their names. */
export async function onlineUsers(db: Reader, now: Date): Promise<{ data: OnlineUser[]; total: number }> {
  const rows = await readOnline(db, { since: since(now), most: MAX_SHOWN });
  return {
    data: rows.map(({ username, shortId, lastSeen }) => ({ username, shortId, lastSeen: lastSeen.toISOString() })),
    total: rows[0]?.total ?? 0,
  };
}

/** A tab that waits says so every 30 seconds: one that did not for this long has gone. Milliseconds. */
const WAITS_MS = 90_000;

/** How many members have a tab open that waits for a launch, each once. */
export async function waitingFor(db: Reader, nextProject: string, now: Date): Promise<number> {
  const { userId, isOnline: open, lastSeen, waitsFor } = userConnections;
  const [row] = await db
    .select({ waiting: countDistinct(userId) })
    .from(userConnections)
    .where(and(eq(waitsFor, nextProject), eq(open, true), gt(lastSeen, new Date(now.getTime() - WAITS_MS))));
  return row?.waiting ?? 0;
}
