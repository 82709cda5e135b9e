import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';

export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: jsonb('value').$type<unknown>().notNull(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  /** Null: the operator, who has no account (`npm run florka`). */
  updatedBy: uuid('updated_by').references(() => users.id, { onDelete: 'set null' }),
  version: integer('version').notNull().default(1),
});

/** Settings that nobody reads back; no right of the signer's. */
export const settingSecrets = pgTable('setting_secrets', {
  key: text('key').primaryKey(),
  sealed: bytea('sealed').notNull(),
  version: integer('version').notNull().default(1),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  updatedBy: uuid('updated_by').references(() => users.id, { onDelete: 'set null' }),
});

/** Always empty: readiness writes here and takes it back, to see whether the disk has room again. */
export const diskProbe = pgTable('disk_probe', { filler: text('filler').notNull() });
