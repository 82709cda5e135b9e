import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { projects } from '#server/db/tables/projects.ts';
import { votingCandidates } from '#server/db/tables/voting.ts';

/** A member's watch list; exactly one of the three targets is set. */
export const savedTokens = pgTable('saved_tokens', {
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  projectId: uuid('project_id').references(() => projects.id, { onDelete: 'cascade' }),
  candidateId: uuid('candidate_id').references(() => votingCandidates.id, { onDelete: 'cascade' }),
  nextProjectId: uuid('next_project_id').references(() => nextProjects.id, { onDelete: 'cascade' }),
  /** True when the member wants mails about this token. */
  notify: boolean('notify').notNull().default(false),
  notifyLocale: text('notify_locale', { enum: ['es', 'en'] })
    .notNull()
    .default('es'),
  savedAt: moment('saved_at').notNull().defaultNow(),
});
