import { sql } from 'drizzle-orm';
import { boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment, searchVector } from '#server/db/columns.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { projects } from '#server/db/tables/projects.ts';
import { votingCandidates } from '#server/db/tables/voting.ts';

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
  /** Number of visible comments; updated with them. */
  commentCount: integer('comment_count').notNull().default(0),
  search: searchVector('search').generatedAlwaysAs(sql`florka_fold(title || content)`),
  category: text('category', { enum: ['general', 'tokens', 'launches', 'help', 'ideas'] })
    .notNull()
    .default('general'),
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
  /** Time of the post, for the search; written by a trigger. */
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

/** Number of reactions per post and emoji; updated with the reactions. */
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

/** Members' reports of a post or comment; one per member and text. */
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
  /** When the reported text was written; set by the database. */
  textCreatedAt: moment('text_created_at').notNull(),
  resolvedAt: moment('resolved_at'),
  resolvedBy: uuid('resolved_by').references(() => users.id, { onDelete: 'set null' }),
  resolution: text('resolution', { enum: ['kept', 'hidden'] }),
});

/** The token that a post is about; exactly one of the three targets is set. */
export const forumPostTokens = pgTable('forum_post_tokens', {
  postId: uuid('post_id')
    .primaryKey()
    .references(() => forumPosts.id, { onDelete: 'cascade' }),
  projectId: uuid('project_id').references(() => projects.id, { onDelete: 'cascade' }),
  candidateId: uuid('candidate_id').references(() => votingCandidates.id, { onDelete: 'cascade' }),
  nextProjectId: uuid('next_project_id').references(() => nextProjects.id, { onDelete: 'cascade' }),
  /** Time of the post. */
  createdAt: moment('created_at').notNull(),
  tokenId: uuid('token_id').notNull().generatedAlwaysAs(sql`COALESCE(project_id, candidate_id, next_project_id)`),
});

export const forumPostTags = pgTable(
  'forum_post_tags',
  {
    postId: uuid('post_id')
      .notNull()
      .references(() => forumPosts.id, { onDelete: 'cascade' }),
    tag: text('tag').notNull(),
    /** Without accents: identifies the tag. */
    normalized: text('normalized').notNull().generatedAlwaysAs(sql`florka_fold(tag)`),
    /** Time of the post. */
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.postId, table.normalized] })],
);

/** Images of a post, in their order from 0. */
export const forumPostImages = pgTable(
  'forum_post_images',
  {
    postId: uuid('post_id')
      .notNull()
      .references(() => forumPosts.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    url: text('url').notNull().unique(),
    alt: text('alt').notNull().default(''),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
  },
  (table) => [primaryKey({ columns: [table.postId, table.position] })],
);

/** The comment that a comment answers; a trigger enforces that both belong to one post. */
export const forumQuotes = pgTable('forum_quotes', {
  commentId: uuid('comment_id')
    .primaryKey()
    .references(() => forumComments.id, { onDelete: 'cascade' }),
  quotedId: uuid('quoted_id')
    .notNull()
    .references(() => forumComments.id, { onDelete: 'cascade' }),
});

/** Earlier versions of an edited post or comment; the title is a post's. */
export const forumEdits = pgTable('forum_edits', {
  id: uuid('id').primaryKey().defaultRandom(),
  postId: uuid('post_id').references(() => forumPosts.id, { onDelete: 'cascade' }),
  commentId: uuid('comment_id').references(() => forumComments.id, { onDelete: 'cascade' }),
  title: text('title'),
  content: text('content').notNull(),
  replacedAt: moment('replaced_at').notNull(),
});
