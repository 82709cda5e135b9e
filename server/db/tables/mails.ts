import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';

/** Mails to send; the job queue delivers them. */
export const mails = pgTable('mails', {
  id: uuid('id').primaryKey().defaultRandom(),
  toAddress: text('to_address').notNull(),
  locale: text('locale', { enum: ['es', 'en'] }).notNull(),
  template: text('template').notNull(),
  data: jsonb('data').notNull().default({}),
  status: text('status', { enum: ['queued', 'sent', 'failed', 'expired'] })
    .notNull()
    .default('queued'),
  attempts: integer('attempts').notNull().default(0),
  lastError: text('last_error'),
  createdAt: moment('created_at').notNull().defaultNow(),
  sentAt: moment('sent_at'),
  /** How it was sent; null for mails from before this was stored. */
  sentBy: text('sent_by', { enum: ['smtp', 'file'] }),
});
