import { bigint, pgTable, text } from 'drizzle-orm/pg-core';

/**
 * Changes of the counts that the dashboard and the list of projects show, written by triggers in the transaction that causes them; the sum of a counter is
 * its count. A job replaces many rows by their sum.
 */
export const counterChanges = pgTable('counter_changes', {
  counter: text('counter', {
    enum: [
      'users',
      'projects',
      'listed_projects',
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
