import { boolean, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';

export const forumPosts = pgTable('forum_posts', {
  id: uuid('id').primaryKey().defaultRandom(),
  title: text('title').notNull(),
  content: text('content').notNull(),
  forumUserId: uuid('forum_user_id').references(() => forumUsers.id, { onDelete: 'set null' }),
  isHidden: boolean('is_hidden').notNull().default(false),
  createdAt: moment('created_at').notNull().defaultNow(),
  editedAt: moment('edited_at'),
  deletedAt: moment('deleted_at'),
  deletedBy: uuid('deleted_by').references(() => users.id, { onDelete: 'set null' }),
});

export const forumComments = pgTable('forum_comments', {
  id: uuid('id').primaryKey().defaultRandom(),
  postId: uuid('post_id')
    .notNull()
    .references(() => forumPosts.id, { onDelete: 'cascade' }),
  userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
  content: text('content').notNull(),
  isHidden: boolean('is_hidden').notNull().default(false),
  createdAt: moment('created_at').notNull().defaultNow(),
  editedAt: moment('edited_at'),
  deletedAt: moment('deleted_at'),
  deletedBy: uuid('deleted_by').references(() => users.id, { onDelete: 'set null' }),
});

export const postReactions = pgTable(
  'post_reactions',
  {
    postId: uuid('post_id')
      .notNull()
      .references(() => forumPosts.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    emojiType: text('emoji_type', { enum: ['like', 'love', 'laugh', 'wow', 'sad', 'angry'] }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.postId, table.userId, table.emojiType] })],
);
