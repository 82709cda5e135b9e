import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, jsonValue, moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';

export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: jsonValue('value').notNull(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  /** Null: the operator, who has no account (`npm run florka`). */
  updatedBy: uuid('updated_by').references(() => users.id, { onDelete: 'set null' }),
  version: integer('version').notNull().default(1),
});

/** Settings that can't be read back; the signer has no access. */
export const settingSecrets = pgTable('setting_secrets', {
  key: text('key').primaryKey(),
  sealed: bytea('sealed').notNull(),
  version: integer('version').notNull().default(1),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  updatedBy: uuid('updated_by').references(() => users.id, { onDelete: 'set null' }),
});

/** Always empty: the readiness check inserts a row and rolls back, to detect whether the disk has space again. */
export const diskProbe = pgTable('disk_probe', { filler: text('filler').notNull() });
