import { and, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { SessionInfo } from '#contract/domains/account.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { asMoment } from '#server/db/expressions.ts';
import { adminProfiles, sessions, userRoles } from '#server/db/tables/accounts.ts';
import { endSessions } from '#server/domains/auth/members.service.ts';
import { ACTIVE_SESSION } from '#server/domains/auth/sessions/session-life.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { deviceName } from '#server/lib/text/device-name.ts';
import type { Viewer } from '#server/lib/viewer.ts';

/** Sessions of a member, the current one first, then by last use. */
export async function listSessions(db: Reader, viewer: Viewer, now: Date): Promise<SessionInfo[]> {
  const s = alias(sessions, 's');
  const r = alias(userRoles, 'r');
  const a = alias(adminProfiles, 'a');
  const usedAt = sql`coalesce(s.last_used_at, s.updated_at)`;
  const rows = await db
    .select({
      id: s.id,
      createdAt: s.createdAt,
      usedAt: usedAt.mapWith(asMoment),
      userAgent: s.userAgent,
      address: s.ipAddress,
    })
    .from(s)
    .leftJoin(r, eq(r.userId, s.userId))
    .leftJoin(a, eq(a.id, s.userId))
    .where(and(eq(s.userId, viewer.id), sql.raw(ACTIVE_SESSION)))
    .orderBy(sql`s.id = ${viewer.sessionId} desc, ${usedAt} desc, s.id`);
  return rows.map((row) => ({
    id: row.id,
    current: row.id === viewer.sessionId,
    createdAt: row.createdAt.toISOString(),
    // The current session is in use while it is read.
    lastUsedAt: (row.id === viewer.sessionId ? now : row.usedAt).toISOString(),
    device: deviceName(row.userAgent),
    address: row.address || null,
  }));
}

/** Ends one of the member's own sessions. @throws NOT_FOUND for any other, whether or not it exists. */
export async function revokeSession(db: Db, actor: Actor, viewer: Viewer, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { rowCount } = await tx.delete(sessions).where(and(eq(sessions.id, id), eq(sessions.userId, viewer.id)));
    if (rowCount === 0) fail('NOT_FOUND', { what: 'session' });
    await audit(tx, actor, { action: 'session.revoked', resourceType: 'session', resourceId: id });
  });
}

/** Ends all sessions of the member except the current one. */
export async function revokeOtherSessions(db: Db, actor: Actor, viewer: Viewer): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await endSessions(tx, viewer.id, viewer.sessionId);
    if (ended > 0)
      await audit(tx, actor, {
        action: 'session.others_revoked',
        resourceType: 'member',
        resourceId: viewer.id,
        after: { ended },
      });
  });
}
