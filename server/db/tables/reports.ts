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

/** Of those whose first week was `cohort`, how many voted in `week`. */
export const voterRetention = pgTable(
  'voter_retention',
  {
    cohort: date('cohort', { mode: 'string' }).notNull(),
    week: date('week', { mode: 'string' }).notNull(),
    voters: integer('voters').notNull(),
  },
  (table) => [primaryKey({ columns: [table.cohort, table.week] })],
);

/** What happened on a UTC day, by name. */
export const reportDays = pgTable(
  'report_days',
  { day: date('day', { mode: 'string' }).notNull(), name: text('name').notNull(), n: integer('n').notNull() },
  (table) => [primaryKey({ columns: [table.day, table.name] })],
);

/** How far the sums have read. */
export const reportMarks = pgTable('report_marks', {
  name: text('name').primaryKey(),
  mark: bigint('mark', { mode: 'number' }).notNull(),
});

/** How often pages of a kind were shown on a UTC day; of those, how many were reached from outside. */
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
