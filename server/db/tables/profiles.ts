import { boolean, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';

/** What a member's profile shows in addition to public texts; no row: nothing. */
export const profileSettings = pgTable('profile_settings', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** True when the page exists even without public texts. */
  showPage: boolean('show_page').notNull().default(false),
  /** True to show since when and how often the member votes; never for which candidates. */
  showVotes: boolean('show_votes').notNull().default(false),
  showFollows: boolean('show_follows').notNull().default(false),
  /** True to show the tokens whose creator the member has proven to be. */
  showCreated: boolean('show_created').notNull().default(false),
  changedAt: moment('changed_at').notNull(),
});

/** Members that a member muted or blocked. */
export const memberRestrictions = pgTable(
  'member_restrictions',
  {
    memberId: uuid('member_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    otherId: uuid('other_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    level: text('level', { enum: ['mute', 'block'] }).notNull(),
    since: moment('since').notNull(),
  },
  (table) => [primaryKey({ columns: [table.memberId, table.otherId] })],
);
