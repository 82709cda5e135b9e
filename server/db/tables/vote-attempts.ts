import { integer, pgTable, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';

/** Unlogged: emptied by a crash of the database. */
export const voteAttempts = pgTable('vote_tries', {
  userId: uuid('user_id').primaryKey(),
  minuteHits: integer('minute_hits').notNull(),
  minuteEnds: moment('minute_ends').notNull(),
  dayHits: integer('day_hits').notNull(),
  dayEnds: moment('day_ends').notNull(),
});
