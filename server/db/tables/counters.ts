import { bigint, pgTable, text } from 'drizzle-orm/pg-core';

/**
 * Changes of the counts that the dashboard shows, written by triggers in the transaction that causes them; the sum of a counter is
 * its count. A job replaces many rows by their sum.
 */
export const counterChanges = pgTable('counter_changes', {
  counter: text('counter', {
    enum: [
      'users',
      'projects',
      'next_projects',
      'votes',
      'candidates',
      'news',
      'moderators',
      'pending_moderators',
      'posts',
      'new_submissions',
    ],
  }).notNull(),
  amount: bigint('amount', { mode: 'number' }).notNull(),
});
