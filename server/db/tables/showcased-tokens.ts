import { pgTable, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { projects } from '#server/db/tables/projects.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';
import { votingCandidates } from '#server/db/tables/voting.ts';

/** Showcase of the token of a request; exactly one of the three targets is set. */
export const showcasedTokens = pgTable('showcased_tokens', {
  requestId: uuid('request_id')
    .notNull()
    .references(() => tokenCreationSubmissions.id, { onDelete: 'restrict' }),
  projectId: uuid('project_id')
    .unique()
    .references(() => projects.id, { onDelete: 'cascade' }),
  candidateId: uuid('candidate_id')
    .unique()
    .references(() => votingCandidates.id, { onDelete: 'cascade' }),
  nextProjectId: uuid('next_project_id')
    .unique()
    .references(() => nextProjects.id, { onDelete: 'cascade' }),
  showcasedAt: moment('showcased_at').notNull(),
  showcasedBy: uuid('showcased_by').references(() => users.id, { onDelete: 'set null' }),
});
