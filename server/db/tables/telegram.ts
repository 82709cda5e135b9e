import { integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { bigCount, bytea, moment } from '#server/db/columns.ts';
import { sessions, users } from '#server/db/tables/accounts.ts';
import { notifications } from '#server/db/tables/notifications.ts';

/** State of a bot; one process at a time reads its updates. */
export const telegramBots = pgTable('telegram_bots', {
  botId: bigCount('bot_id').primaryKey(),
  /** The process that holds the reader lease. */
  holder: uuid('holder'),
  leasedUntil: moment('leased_until').notNull(),
  /** Next update to read; null: the oldest that Telegram has. */
  nextUpdate: bigCount('next_update'),
  seenAt: moment('seen_at'),
  /** Telegram's Retry-After: no call before this time. */
  pausedUntil: moment('paused_until'),
});

/** The private chat that gets a member's notifications. */
export const telegramChats = pgTable(
  'telegram_chats',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .unique()
      .references(() => users.id, { onDelete: 'cascade' }),
    botId: bigCount('bot_id').notNull(),
    chatId: bigCount('chat_id').notNull(),
    name: text('name').notNull(),
    linkedAt: moment('linked_at').notNull(),
  },
  (table) => [unique().on(table.botId, table.chatId)],
);

/** Codes that link a chat, valid once and for a short time. */
export const telegramLinkCodes = pgTable('telegram_link_codes', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  sessionId: uuid('session_id')
    .notNull()
    .references(() => sessions.id, { onDelete: 'cascade' }),
  codeHash: bytea('code_hash').notNull().unique(),
  /** Language of the page on which it was requested. */
  locale: text('locale', { enum: ['es', 'en'] }).notNull(),
  zone: text('zone'),
  expiresAt: moment('expires_at').notNull(),
});

export const telegramMessages = pgTable('telegram_messages', {
  id: uuid('id').primaryKey().defaultRandom(),
  botId: bigCount('bot_id').notNull(),
  chatId: bigCount('chat_id').notNull(),
  linkId: uuid('link_id').references(() => telegramChats.id, { onDelete: 'cascade' }),
  notificationId: uuid('notification_id')
    .unique()
    .references(() => notifications.id, { onDelete: 'cascade' }),
  reply: text('reply', { enum: ['linked', 'code_wrong', 'chat_taken', 'not_linked', 'stopped', 'moved', 'help'] }),
  about: text('about'),
  locale: text('locale', { enum: ['es', 'en'] }).notNull(),
  state: text('state', { enum: ['waiting', 'sending', 'sent', 'failed'] })
    .notNull()
    .default('waiting'),
  attempts: integer('attempts').notNull().default(0),
  unsure: integer('unsure').notNull().default(0),
  dueAt: moment('due_at').notNull(),
  createdAt: moment('created_at').notNull(),
});
