import { and, desc, eq, type SQL } from 'drizzle-orm';
import type { AuditKind } from '#contract/admin/shared/audit-actions.ts';
import type { Reader } from '#server/db/client.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import { DISPLAY_NAME } from './display-name.ts';

/**
 * Name of the last person who changed a record, and the time (ISO 8601); both null if there was no change.
 *
 * @param how which changes count, a condition on `auditEvents.action`; all by default.
 */
export async function lastChange(
  db: Reader,
  what: AuditKind,
  id: string,
  how?: SQL,
): Promise<{ by: string | null; at: string | null }> {
  const [last] = await db
    .select({ by: DISPLAY_NAME, at: auditEvents.at })
    .from(auditEvents)
    .leftJoin(users, eq(users.id, auditEvents.actorId))
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
    .where(and(eq(auditEvents.resourceType, what), eq(auditEvents.resourceId, id), how))
    .orderBy(desc(auditEvents.id))
    .limit(1);
  return { by: last?.by ?? null, at: last?.at.toISOString() ?? null };
}
