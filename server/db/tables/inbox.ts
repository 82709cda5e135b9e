import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';

/** The admin who claimed an item of the inbox; the items are derived from their causes. */
export const inboxOwners = pgTable(
  'inbox_owners',
  {
    source: text('source', {
      enum: [
        'payment',
        'unplaced',
        'request',
        'creation',
        'chain',
        'submission',
        'moderator',
        'report',
        'job',
        'deliverable',
        'vote_cluster',
        'refund',
        'settlement',
        'appeal',
        'reading',
        'source',
        'review',
      ],
    }).notNull(),
    itemId: text('item_id').notNull(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    takenAt: moment('taken_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.source, table.itemId] })],
);

/** Notifications that were sent to staff. */
export const staffNotices = pgTable(
  'staff_notices',
  {
    /** A source of the inbox, or 'week'. */
    source: text('source').notNull(),
    itemId: text('item_id').notNull(),
    /** Since when the item had been waiting when it was notified. */
    since: moment('since').notNull(),
    notifiedAt: moment('notified_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.source, table.itemId] })],
);
