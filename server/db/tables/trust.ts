import { type AnyPgColumn, bigint, boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';
import { forumComments, forumPosts } from '#server/db/tables/forum.ts';

/** Level of trust of a member in the forum; level 0 without a row. */
export const memberTrust = pgTable('member_trust', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** 0 to 2. */
  level: integer('level').notNull().default(0),
  /** True when set by staff: the rules do not change it. */
  held: boolean('held').notNull().default(false),
  changedAt: moment('changed_at').notNull().defaultNow(),
});

/** Changes of a level. Never changed: reverting one adds another row. */
export const memberTrustChanges = pgTable('member_trust_changes', {
  id: uuid('id').primaryKey().defaultRandom(),
  /** Their order: two can have the same time. */
  number: bigint('number', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  cause: text('cause', { enum: ['rule', 'staff', 'undo'] }).notNull(),
  fromLevel: integer('from_level').notNull(),
  fromHeld: boolean('from_held').notNull(),
  toLevel: integer('to_level').notNull(),
  toHeld: boolean('to_held').notNull(),
  /** Figures of the rules: days of the account, visible texts, final removals. */
  days: integer('days'),
  texts: integer('texts'),
  removals: integer('removals'),
  /** Reason of staff. */
  reason: text('reason'),
  changedBy: uuid('changed_by').references(() => users.id, { onDelete: 'set null' }),
  undoes: uuid('undoes')
    .unique()
    .references((): AnyPgColumn => memberTrustChanges.id, { onDelete: 'cascade' }),
  changedAt: moment('changed_at').notNull(),
});

/** A post or comment that waits or waited for a moderator, and its result. It is hidden until it is released. */
export const forumReviews = pgTable('forum_reviews', {
  textId: uuid('text_id').primaryKey(),
  what: text('what', { enum: ['post', 'comment'] }).notNull(),
  postId: uuid('post_id').references(() => forumPosts.id, { onDelete: 'cascade' }),
  commentId: uuid('comment_id').references(() => forumComments.id, { onDelete: 'cascade' }),
  authorId: uuid('author_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** One of the member's first texts, or one with a link. */
  why: text('why', { enum: ['first', 'link'] }).notNull(),
  links: boolean('links').notNull(),
  /** When it was written. */
  since: moment('since').notNull(),
  state: text('state', { enum: ['waiting', 'released', 'declined'] })
    .notNull()
    .default('waiting'),
  decidedAt: moment('decided_at'),
  decidedBy: uuid('decided_by').references(() => users.id, { onDelete: 'set null' }),
});
