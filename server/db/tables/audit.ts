import { sql } from 'drizzle-orm';
import { jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bigCount, bytea, moment } from '#server/db/columns.ts';

/** Set by the trigger `audit_chain`; omitted in an insert. */
const byTrigger = () => sql`default`;

/** Append-only and chained: the database refuses update, delete and truncate. */
export const auditEvents = pgTable('audit_events', {
  id: bigCount('id').primaryKey().$defaultFn(byTrigger),
  at: moment('at').notNull().default(sql`clock_timestamp()`),
  actorId: uuid('actor_id'),
  actorRole: text('actor_role', { enum: ['visitor', 'user', 'moderator', 'admin', 'system'] })
    .notNull()
    .default('system'),
  action: text('action').notNull(),
  resourceType: text('resource_type').notNull(),
  resourceId: text('resource_id'),
  before: jsonb('before').$type<unknown>(),
  after: jsonb('after').$type<unknown>(),
  reason: text('reason'),
  ipHash: bytea('ip_hash'),
  requestId: text('request_id'),
  /** IP address, of staff only. */
  address: text('address'),
  prevHash: bytea('prev_hash').notNull().$defaultFn(byTrigger),
  hash: bytea('hash').notNull().unique().$defaultFn(byTrigger),
});
