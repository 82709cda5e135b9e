import { boolean, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { sessions, users } from '#server/db/tables/accounts.ts';

/** One row per open tab of a member. */
export const userConnections = pgTable(
  'user_connections',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sessionId: uuid('session_id').notNull(),
    isOnline: boolean('is_online').notNull().default(true),
    connectedAt: moment('connected_at').notNull().defaultNow(),
    lastSeen: moment('last_seen').notNull().defaultNow(),
    authSessionId: uuid('auth_session_id').references(() => sessions.id, { onDelete: 'cascade' }),
    /** The NEXT project whose launch the tab waits for. */
    waitsFor: uuid('waits_for'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.sessionId] })],
);
