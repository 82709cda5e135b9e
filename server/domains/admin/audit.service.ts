import { type SQL, sql } from 'drizzle-orm';
import type { AuditEntry } from '#contract/admin/audit.ts';
import { MANY_FOUND } from '#contract/limits.ts';
import type { Reader } from '#server/db/client.ts';
import { membersWith } from '#server/domains/account/manage-roles.service.ts';
import { iso } from '#server/records/lists.ts';

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

/** Entries of the audit log, newest first; the chain's order is that of the ids. */
export async function listAudit(
  db: Reader,
  query: AuditQuery,
): Promise<{ rows: AuditEntry[]; nextCursor: string | null }> {
  const { who, action, resourceType, resourceId, from, to, cursor, size } = query;
  const conditions = [
    sql`true`,
    cursor ? sql`e.id < ${cursor}::bigint` : undefined,
    // 'network.' finds every act on networks.
    action ? (action.endsWith('.') ? sql`starts_with(e.action, ${action})` : sql`e.action = ${action}`) : undefined,
    resourceType ? sql`e.resource_type = ${resourceType}` : undefined,
    resourceId ? sql`e.resource_id = ${resourceId}` : undefined,
    from ? sql`e.at >= (${from}::date)::timestamp at time zone 'UTC'` : undefined,
    to ? sql`e.at < (${to}::date + 1)::timestamp at time zone 'UTC'` : undefined,
    await holdsWho(db, who),
  ].filter((one) => one !== undefined);
  const { rows } = await db.execute<AuditEntry & Record<string, unknown>>(sql`
    select e.id::text as id, e.at, e.actor_id as "actorId", coalesce(f.username, u.email) as "actorName",
      e.actor_role as "actorRole", e.action, e.resource_type as "resourceType", e.resource_id as "resourceId",
      e.before, e.after, e.reason, e.address, e.request_id as "requestId"
    from audit_events e left join users u on u.id = e.actor_id left join forum_users f on f.new_auth_user_id = u.id
    where ${sql.join(conditions, sql` and `)} order by e.id desc limit ${size + 1}`);
  const page = rows.slice(0, size);
  return {
    rows: page.map((row) => ({ ...row, at: iso(row.at) })),
    nextCursor: rows.length > size ? (page.at(-1)?.id ?? null) : null,
  };
}

/** People first, so that their entries are found by an index; 'system' is nobody's name. */
async function holdsWho(db: Reader, who: string): Promise<SQL | undefined> {
  const found = membersWith(who);
  if (!found) return undefined;
  const { rows } = await db.execute<{ id: string }>(found.ids);
  // Too many to name them: each entry says whose it is.
  const people =
    rows.length > MANY_FOUND ? found.along : sql`e.actor_id = any(${sql.param(rows.map((row) => row.id))}::uuid[])`;
  return /^(system|visitor)$/i.test(who) ? sql`(${people} or e.actor_role = ${who.toLowerCase()})` : people;
}

/** Every act and kind of record there is, by jumping from one to the next in the index instead of reading the log. */
export async function auditNames(db: Reader): Promise<{ actions: string[]; resourceTypes: string[] }> {
  const distinct = async (column: 'action' | 'resource_type') => {
    const name = sql.raw(column);
    const { rows } = await db.execute<{ value: string }>(sql`
      with recursive found as (
        (select ${name} as value from audit_events order by ${name} limit 1)
        union all
        select (select ${name} from audit_events where ${name} > found.value order by ${name} limit 1) from found
        where found.value is not null
      ) select value from found where value is not null`);
    return rows.map((row) => row.value);
  };
  const [actions, resourceTypes] = await Promise.all([distinct('action'), distinct('resource_type')]);
  return { actions, resourceTypes };
}
