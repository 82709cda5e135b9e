import { desc, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { AUDIT_STAFF, type AuditEntry } from '#contract/admin/audit.ts';
import { MANY_FOUND } from '#contract/limits.ts';
import { mayAs, type StaffRole } from '#contract/staff.ts';
import type { Reader } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import { membersWith } from '#server/domains/account/users/member-list.service.ts';
import { requireStaff } from '#server/lib/staff-rights.ts';
import { findIds } from '#server/records/lists.ts';
import { readAuditActions, readAuditKinds } from './audit.sql.ts';

const e = alias(auditEvents, 'e');
const u = alias(users, 'u');
const f = alias(forumUsers, 'f');

interface AuditQuery {
  who: string;
  action: string;
  resourceType: string;
  resourceId: string;
  from?: string | undefined;
  to?: string | undefined;
  cursor?: string | null | undefined;
  size: number;
}

/**
 * Entries of the audit log, newest first, in the order of the chain (by id). Owners may read all of it. Others may read the entries
 * of one record that is part of their work, without colleagues' IP addresses and mailboxes.
 *
 * @throws STAFF_ROLE_NEEDED
 */
export async function listAudit(
  db: Reader,
  me: { staffRoles: readonly StaffRole[] },
  query: AuditQuery,
): Promise<{ rows: AuditEntry[]; nextCursor: string | null }> {
  const { who, action, resourceType, resourceId, from, to, cursor, size } = query;
  const owner = mayAs(me.staffRoles, []);
  const kinds: Readonly<Record<string, readonly StaffRole[]>> = AUDIT_STAFF;
  if (!owner)
    requireStaff(me, resourceId && !who && Object.hasOwn(kinds, resourceType) ? (kinds[resourceType] ?? []) : []);
  const conditions = [
    sql`true`,
    cursor ? sql`e.id < ${cursor}::bigint` : undefined,
    // 'network.' matches every action on networks.
    action ? (action.endsWith('.') ? sql`starts_with(e.action, ${action})` : sql`e.action = ${action}`) : undefined,
    resourceType ? sql`e.resource_type = ${resourceType}` : undefined,
    resourceId ? sql`e.resource_id = ${resourceId}` : undefined,
    from ? sql`e.at >= (${from}::date)::timestamp at time zone 'UTC'` : undefined,
    to ? sql`e.at < (${to}::date + 1)::timestamp at time zone 'UTC'` : undefined,
    await holdsWho(db, who),
  ].filter((one) => one !== undefined);
  const rows = await db
    .select({
      id: sql`e.id::text`.mapWith(asText),
      at: e.at,
      actorId: e.actorId,
      actorName: (owner ? sql`coalesce(f.username, u.email)` : sql`f.username`).mapWith(orNull(asText)),
      actorRole: e.actorRole,
      action: e.action,
      resourceType: e.resourceType,
      resourceId: e.resourceId,
      before: e.before,
      after: e.after,
      reason: e.reason,
      address: e.address,
      requestId: e.requestId,
    })
    .from(e)
    .leftJoin(u, eq(u.id, e.actorId))
    .leftJoin(f, eq(f.newAuthUserId, u.id))
    .where(sql.join(conditions, sql` and `))
    .orderBy(desc(e.id))
    .limit(size + 1);
  const page = rows.slice(0, size);
  return {
    rows: page.map((row) => ({ ...row, at: row.at.toISOString(), address: owner ? row.address : null })),
    nextCursor: rows.length > size ? (page.at(-1)?.id ?? null) : null,
  };
}

/** What the audit's filter offers in both languages instead of a name, with the role of such entries. */
const ROLE_OF_WORD = new Map([
  ['system', 'system'],
  ['sistema', 'system'],
  ['visitor', 'visitor'],
  ['visitante', 'visitor'],
]);

/** Actors are looked up first, so that their entries are found by an index. */
async function holdsWho(db: Reader, who: string): Promise<SQL | undefined> {
  const found = membersWith(who);
  if (!found) return undefined;
  const ids = await findIds(db, found);
  // With too many actors for a list, the condition is evaluated per entry.
  const people = ids.length > MANY_FOUND ? found.condition : sql`e.actor_id = any(${sql.param(ids)}::uuid[])`;
  const role = ROLE_OF_WORD.get(who.toLowerCase());
  return role ? sql`(${people} or e.actor_role = ${role})` : people;
}

/** All existing actions and kinds of records. */
export async function auditNames(db: Reader): Promise<{ actions: string[]; resourceTypes: string[] }> {
  const [actions, kinds] = await Promise.all([readAuditActions(db, {}), readAuditKinds(db, {})]);
  return { actions: actions.map(({ value }) => value), resourceTypes: kinds.map(({ value }) => value) };
}
