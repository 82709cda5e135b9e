import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';

/** What has yet to happen to a record of the back office. */
export const recordSchedules = pgTable(
  'record_schedules',
  {
    /** As the audit log names it: 'news', 'next_project'. */
    kind: text('kind').notNull(),
    recordId: uuid('record_id').notNull(),
    publishAt: moment('publish_at'),
    expireAt: moment('expire_at'),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    updatedBy: uuid('updated_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [primaryKey({ columns: [table.kind, table.recordId] })],
);

/** The texts of a record after each change of them; never changed, removed with the record. */
export const recordVersions = pgTable(
  'record_versions',
  {
    kind: text('kind').notNull(),
    recordId: uuid('record_id').notNull(),
    version: integer('version').notNull(),
    fields: jsonb('fields').$type<Record<string, unknown>>().notNull(),
    /** The older version whose texts these are. */
    restoredFrom: integer('restored_from'),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Null: the account is gone, or the text is from before versions were kept. */
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [primaryKey({ columns: [table.kind, table.recordId, table.version] })],
);

/** Links to something that is not public yet. */
export const recordPreviews = pgTable('record_previews', {
  keyHash: bytea('key_hash').primaryKey(),
  kind: text('kind').notNull(),
  /** Null of the announcement, of which there is one. */
  recordId: uuid('record_id'),
  endsAt: moment('ends_at').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
});

/** How an admin keeps a list of the back office. */
export const adminLists = pgTable(
  'admin_lists',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Its name in /api/admin/<name>.csv. */
    list: text('list').notNull(),
    hidden: text('hidden').array().notNull().default([]),
    views: jsonb('views').$type<{ name: string; query: string }[]>().notNull().default([]),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.list] })],
);

/** Who has the form of a record open now. */
export const recordEditors = pgTable(
  'record_editors',
  {
    kind: text('kind').notNull(),
    recordId: uuid('record_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    since: moment('since').notNull().defaultNow(),
    seenAt: moment('seen_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.recordId, table.userId] })],
);
