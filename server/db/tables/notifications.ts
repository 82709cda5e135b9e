import { boolean, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { sessions, users } from '#server/db/tables/accounts.ts';
import { forumPosts } from '#server/db/tables/forum.ts';
import { votingRounds } from '#server/db/tables/voting.ts';

const KINDS = [
  'replies',
  'mentions',
  'reactions',
  'decisions',
  'orders',
  'follows',
  'rounds',
  'security',
  'staff',
] as const;

/** Notifications of a member: one row per cause. */
export const notifications = pgTable(
  'notifications',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: KINDS }).notNull(),
    cause: text('cause').notNull(),
    actorId: uuid('actor_id').references(() => users.id, { onDelete: 'set null' }),
    postId: uuid('post_id').references(() => forumPosts.id, { onDelete: 'cascade' }),
    detail: text('detail').notNull(),
    data: jsonb('data').$type<NotificationData>().notNull().default({}),
    /** Number of people, for a grouped notification. */
    gathered: integer('gathered').notNull().default(1),
    locale: text('locale', { enum: ['es', 'en'] }),
    inApp: boolean('in_app').notNull(),
    createdAt: moment('created_at').notNull(),
    changedAt: moment('changed_at').notNull(),
    readAt: moment('read_at'),
  },
  (table) => [unique().on(table.userId, table.cause)],
);

/** Subject of a notification, if it is not a post. */
export interface NotificationData {
  /** Title of a token, an order or a request. */
  title?: string;
  /** A path on our site, without language. */
  path?: string;
  /** A submission, whose private page is only for its sender. */
  submissionId?: string;
  /** A saved token, whose mails can be turned off individually. */
  saved?: { kind: 'project' | 'candidate' | 'next'; id: string };
  /** Number of a round. */
  number?: number;
}

export const notificationActors = pgTable(
  'notification_actors',
  {
    notificationId: uuid('notification_id')
      .notNull()
      .references(() => notifications.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.notificationId, table.userId] })],
);

export const notificationDeliveries = pgTable(
  'notification_deliveries',
  {
    notificationId: uuid('notification_id')
      .notNull()
      .references(() => notifications.id, { onDelete: 'cascade' }),
    channel: text('channel', { enum: ['mail', 'push', 'telegram'] }).notNull(),
    state: text('state', { enum: ['waiting', 'done', 'dropped'] })
      .notNull()
      .default('waiting'),
    dueAt: moment('due_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.notificationId, table.channel] })],
);

export const notificationSettings = pgTable(
  'notification_settings',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: KINDS }).notNull(),
    inApp: boolean('in_app').notNull(),
    mail: text('mail', { enum: ['off', 'now', 'daily'] }).notNull(),
    push: boolean('push').notNull(),
    telegram: boolean('telegram').notNull().default(true),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
);

export const notificationReaders = pgTable('notification_readers', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  locale: text('locale', { enum: ['es', 'en'] }).notNull(),
  /** IANA name. */
  zone: text('zone').notNull(),
  /** Minutes of the reader's day; both or neither. */
  quietFrom: integer('quiet_from'),
  quietTo: integer('quiet_to'),
});

export const pushSubscriptions = pgTable('push_subscriptions', {
  id: uuid('id').primaryKey().defaultRandom(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  sessionId: uuid('session_id')
    .notNull()
    .references(() => sessions.id, { onDelete: 'cascade' }),
  endpoint: text('endpoint').notNull().unique(),
  p256dh: text('p256dh').notNull(),
  auth: text('auth').notNull(),
  createdAt: moment('created_at').notNull(),
});

export const pushSends = pgTable(
  'push_sends',
  {
    notificationId: uuid('notification_id')
      .notNull()
      .references(() => notifications.id, { onDelete: 'cascade' }),
    subscriptionId: uuid('subscription_id')
      .notNull()
      .references(() => pushSubscriptions.id, { onDelete: 'cascade' }),
    state: text('state', { enum: ['waiting', 'sent', 'failed'] })
      .notNull()
      .default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    dueAt: moment('due_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.notificationId, table.subscriptionId] })],
);

export const notifiedRounds = pgTable('notified_rounds', {
  roundId: uuid('round_id')
    .primaryKey()
    .references(() => votingRounds.id, { onDelete: 'cascade' }),
  notifiedUpTo: uuid('told_up_to'),
  doneAt: moment('done_at'),
});
