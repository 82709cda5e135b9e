import { sql } from 'drizzle-orm';
import { boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment, searchVector } from '#server/db/columns.ts';
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
  /** Visible comments; written with them. */
  commentCount: integer('comment_count').notNull().default(0),
  search: searchVector('search').generatedAlwaysAs(sql`florka_fold(title || content)`),
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
  /** Of the post, for the search; a trigger fills it. */
  postCreatedAt: moment('post_created_at').notNull().defaultNow(),
  search: searchVector('search').generatedAlwaysAs(sql`florka_fold(content)`),
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

/** Reactions per post and emoji; written with the reactions. */
export const postReactionCounts = pgTable(
  'post_reaction_counts',
  {
    postId: uuid('post_id')
      .notNull()
      .references(() => forumPosts.id, { onDelete: 'cascade' }),
    emojiType: text('emoji_type', { enum: ['like', 'love', 'laugh', 'wow', 'sad', 'angry'] }).notNull(),
    reactions: integer('reactions').notNull(),
  },
  (table) => [primaryKey({ columns: [table.postId, table.emojiType] })],
);

/** What members find wrong in a post or comment; one of each member and text. */
export const forumReports = pgTable('forum_reports', {
  id: uuid('id').primaryKey().defaultRandom(),
  postId: uuid('post_id').references(() => forumPosts.id, { onDelete: 'cascade' }),
  commentId: uuid('comment_id').references(() => forumComments.id, { onDelete: 'cascade' }),
  reporterId: uuid('reporter_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  reason: text('reason', { enum: ['spam', 'scam', 'abuse', 'other'] }).notNull(),
  note: text('note'),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** When the reported text was written; the database fills it in. */
  textCreatedAt: moment('text_created_at').notNull(),
  resolvedAt: moment('resolved_at'),
  resolvedBy: uuid('resolved_by').references(() => users.id, { onDelete: 'set null' }),
  resolution: text('resolution', { enum: ['kept', 'hidden'] }),
});
