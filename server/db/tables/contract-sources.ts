import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { tokenCreations } from '#server/db/tables/token-creations.ts';

/** What block explorers say of the source of a token's contract. */
export const contractSources = pgTable('contract_sources', {
  creationId: uuid('creation_id')
    .primaryKey()
    .references(() => tokenCreations.id, { onDelete: 'restrict' }),
  state: text('state', { enum: ['waiting', 'submitted', 'verified', 'refused'] })
    .notNull()
    .default('waiting'),
  /** The explorer's number of the submission. */
  guid: text('guid'),
  attempts: integer('tries').notNull().default(0),
  nextAttemptAt: moment('next_try_at'),
  /** What the explorer said last, in English, for operators. */
  detail: text('detail'),
  verifiedAt: moment('verified_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});
