import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { SITE_PAGES } from '#contract/limits.ts';
import { moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';

export const sitePageVersions = pgTable(
  'site_page_versions',
  {
    page: text('page', { enum: SITE_PAGES }).notNull(),
    version: integer('version').notNull(),
    titleEs: text('title_es').notNull(),
    bodyEs: text('body_es').notNull(),
    titleEn: text('title_en').notNull(),
    bodyEn: text('body_en').notNull(),
    /** The older version that was restored. */
    restoredFrom: integer('restored_from'),
    createdAt: moment('created_at').notNull().defaultNow(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [primaryKey({ columns: [table.page, table.version] })],
);
