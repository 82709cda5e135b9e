import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { tokenCreations } from '#server/db/tables/token-creations.ts';

/** State of the source verification of a token's contract at a block explorer. */
export const contractSources = pgTable('contract_sources', {
  creationId: uuid('creation_id')
    .primaryKey()
    .references(() => tokenCreations.id, { onDelete: 'restrict' }),
  state: text('state', { enum: ['waiting', 'submitted', 'verified', 'refused'] })
    .notNull()
    .default('waiting'),
  /** The explorer's id of the submission. */
  guid: text('guid'),
  attempts: integer('tries').notNull().default(0),
  nextAttemptAt: moment('next_try_at'),
  /** The last message of the explorer, in English, for operators. */
  detail: text('detail'),
  verifiedAt: moment('verified_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});
