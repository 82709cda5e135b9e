import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';

/** Scheduled changes of a record of the back office. */
export const recordSchedules = pgTable(
  'record_schedules',
  {
    /** Its kind in the audit log: 'news', 'next_project'. */
    kind: text('kind').notNull(),
    recordId: uuid('record_id').notNull(),
    publishAt: moment('publish_at'),
    expireAt: moment('expire_at'),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    updatedBy: uuid('updated_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [primaryKey({ columns: [table.kind, table.recordId] })],
);

/** The texts of a record after each change of them; never changed, deleted with the record. */
export const recordVersions = pgTable(
  'record_versions',
  {
    kind: text('kind').notNull(),
    recordId: uuid('record_id').notNull(),
    version: integer('version').notNull(),
    fields: jsonb('fields').$type<Record<string, unknown>>().notNull(),
    /** The older version that was restored. */
    restoredFrom: integer('restored_from'),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Null: the account was deleted, or the text is from before versions were stored. */
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [primaryKey({ columns: [table.kind, table.recordId, table.version] })],
);

/** Links to records that are not public yet. */
export const recordPreviews = pgTable('record_previews', {
  keyHash: bytea('key_hash').primaryKey(),
  kind: text('kind').notNull(),
  /** Null for the announcement, of which there is one. */
  recordId: uuid('record_id'),
  endsAt: moment('ends_at').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
});

/** An admin's settings of a list of the back office. */
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

/** Admins who have the form of a record open. */
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
