import { sql } from 'drizzle-orm';
import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';

export const news = pgTable('news', {
  id: uuid('id').primaryKey().defaultRandom(),
  title: text('title').notNull(),
  content: text('content').notNull(),
  imageUrl: text('image_url'),
  authorName: text('author_name').notNull().default('Admin'),
  isActive: boolean('is_active').notNull().default(false),
  /** Set when the item is first shown; never changed afterwards. */
  publishedAt: moment('published_at'),
  version: integer('version').notNull().default(1),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  deletedAt: moment('deleted_at'),
  deletedBy: uuid('deleted_by').references(() => users.id, { onDelete: 'set null' }),
  /** All of its text, normalized; as long as the item, so lists never select it. */
  search: text('search').generatedAlwaysAs(sql`florka_fold(title || author_name || content)`),
});
