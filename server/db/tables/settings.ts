import { jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';

export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: jsonb('value').$type<unknown>().notNull(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  /** Null: the operator, who has no account; `npm run florka` is all that writes here so far. */
  updatedBy: uuid('updated_by').references(() => users.id, { onDelete: 'set null' }),
});

/** Always empty: readiness writes here and takes it back, to see whether the disk has room again. */
export const diskProbe = pgTable('disk_probe', { filler: text('filler').notNull() });
