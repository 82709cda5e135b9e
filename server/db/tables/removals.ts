import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { REMOVAL_RULES } from '#contract/limits.ts';
import { moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';

/** Removals of texts by the team, with rule and outcome. Public, without names. */
export const forumRemovals = pgTable('forum_removals', {
  id: uuid('id').primaryKey().defaultRandom(),
  what: text('what', { enum: ['post', 'comment'] }).notNull(),
  /** Id of the text, which may have been deleted permanently. */
  textId: uuid('text_id').notNull(),
  rule: text('rule', { enum: REMOVAL_RULES }).notNull(),
  removedAt: moment('removed_at').notNull(),
  removedBy: uuid('removed_by').references(() => users.id, { onDelete: 'set null' }),
  removedByRole: text('removed_by_role', { enum: ['moderator', 'admin'] }).notNull(),
  /** Outcome of an appeal: upheld or reversed; restored without one. */
  outcome: text('outcome', { enum: ['upheld', 'reversed', 'restored'] }),
  endedAt: moment('ended_at'),
  endedBy: uuid('ended_by').references(() => users.id, { onDelete: 'set null' }),
  /** True when who removed it decided about the appeal, because nobody else on the team could. */
  decidedAlone: boolean('decided_alone').notNull().default(false),
  /** True when it was declined before anyone but its author and staff had seen it. */
  unseen: boolean('unseen').notNull().default(false),
});

/** Notice to the author of a removed text, with a copy of it; deleted with the account. */
export const forumRemovalNotices = pgTable('forum_removal_notices', {
  removalId: uuid('removal_id')
    .primaryKey()
    .references(() => forumRemovals.id, { onDelete: 'cascade' }),
  authorId: uuid('author_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Title of the post, also for its comments. */
  title: text('title').notNull(),
  content: text('content').notNull(),
  reason: text('reason').notNull(),
  appeal: text('appeal'),
  appealedAt: moment('appealed_at'),
  answer: text('answer'),
});
