import { and, desc, eq, inArray, type SQL } from 'drizzle-orm';
import type { AuditAction, AuditKind } from '#contract/admin/shared/audit-actions.ts';
import type { Reader } from '#server/db/client.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import type { Actor } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
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

/**
 * Guard of an undo: the last of these changes of a record is the actor's own, so that undoing it does not overwrite a colleague's.
 *
 * @param current what the record is now, for the conflict.
 * @returns that change. @throws VERSION_CONFLICT, with the colleague's name.
 */
export async function requireOwnLastChange(
  db: Reader,
  actor: Actor,
  what: AuditKind,
  id: string,
  actions: readonly AuditAction[],
  current: Readonly<Record<string, unknown>> = {},
): Promise<{ action: string; before: Readonly<Record<string, unknown>>; after: Readonly<Record<string, unknown>> }> {
  const how = inArray(auditEvents.action, [...actions]);
  const [last] = await db
    .select({
      action: auditEvents.action,
      actorId: auditEvents.actorId,
      before: auditEvents.before,
      after: auditEvents.after,
    })
    .from(auditEvents)
    .where(and(eq(auditEvents.resourceType, what), eq(auditEvents.resourceId, id), how))
    .orderBy(desc(auditEvents.id))
    .limit(1);
  if (!last || last.actorId !== actor.id)
    return fail('VERSION_CONFLICT', { version: 1, current: { ...current }, ...(await lastChange(db, what, id, how)) });
  const { action, before, after } = last as typeof last & Record<'before' | 'after', Record<string, unknown> | null>;
  return { action, before: before ?? {}, after: after ?? {} };
}
