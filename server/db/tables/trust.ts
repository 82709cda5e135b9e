import { type AnyPgColumn, bigint, boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';
import { forumComments, forumPosts } from '#server/db/tables/forum.ts';

/** How far the forum trusts a member; without a row it is level 0. */
export const memberTrust = pgTable('member_trust', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** 0 to 2. */
  level: integer('level').notNull().default(0),
  /** Set by staff: the rules leave it as it is. */
  held: boolean('held').notNull().default(false),
  changedAt: moment('changed_at').notNull().defaultNow(),
});

/** Each change of a level. Never changed: what is taken back is another row. */
export const memberTrustChanges = pgTable('member_trust_changes', {
  id: uuid('id').primaryKey().defaultRandom(),
  /** Their order: two can be of one moment. */
  number: bigint('number', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  cause: text('cause', { enum: ['rule', 'staff', 'undo'] }).notNull(),
  fromLevel: integer('from_level').notNull(),
  fromHeld: boolean('from_held').notNull(),
  toLevel: integer('to_level').notNull(),
  toHeld: boolean('to_held').notNull(),
  /** What a rule counted: days of the account, texts that are shown, removals that stand. */
  days: integer('days'),
  texts: integer('texts'),
  removals: integer('removals'),
  /** Of staff. */
  reason: text('reason'),
  changedBy: uuid('changed_by').references(() => users.id, { onDelete: 'set null' }),
  undoes: uuid('undoes')
    .unique()
    .references((): AnyPgColumn => memberTrustChanges.id, { onDelete: 'cascade' }),
  changedAt: moment('changed_at').notNull(),
});

/** A post or comment that waited for a moderator, and what became of it. It is hidden until it is released. */
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
