import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';

/** Who works on which item of the inbox; the items follow from what waits. */
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

/** What staff was mailed of. */
export const staffNotices = pgTable(
  'staff_notices',
  {
    /** A source of the inbox, or 'week'. */
    source: text('source').notNull(),
    itemId: text('item_id').notNull(),
    /** Since when the item waited when it was told. */
    since: moment('since').notNull(),
    notifiedAt: moment('notified_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.source, table.itemId] })],
);
