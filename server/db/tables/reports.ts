import { bigint, date, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';

/** Weeks, by their Monday, in which a member voted. */
export const voterWeeks = pgTable(
  'voter_weeks',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    week: date('week', { mode: 'string' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.week] })],
);

/** Of the members whose first week was `cohort`, the number who voted in `week`. */
export const voterRetention = pgTable(
  'voter_retention',
  {
    cohort: date('cohort', { mode: 'string' }).notNull(),
    week: date('week', { mode: 'string' }).notNull(),
    voters: integer('voters').notNull(),
  },
  (table) => [primaryKey({ columns: [table.cohort, table.week] })],
);

/** Daily figures, by UTC day and name. */
export const reportDays = pgTable(
  'report_days',
  { day: date('day', { mode: 'string' }).notNull(), name: text('name').notNull(), n: integer('n').notNull() },
  (table) => [primaryKey({ columns: [table.day, table.name] })],
);

/** Positions up to which the sums were computed. */
export const reportMarks = pgTable('report_marks', {
  name: text('name').primaryKey(),
  mark: bigint('mark', { mode: 'number' }).notNull(),
});

/** Page views per kind of page and UTC day; and how many of them came from outside. */
export const pageViews = pgTable(
  'page_views',
  {
    day: date('day', { mode: 'string' }).notNull(),
    kind: text('kind').notNull(),
    views: bigint('views', { mode: 'number' }).notNull(),
    arrivals: bigint('arrivals', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.kind] })],
);
