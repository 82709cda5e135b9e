import { sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { nextProjects } from './next-projects.ts';
import { projects } from './projects.ts';

export const projectSubmissions = pgTable('project_submissions', {
  id: uuid('id').primaryKey().defaultRandom(),
  submitterName: text('submitter_name'),
  submitterEmail: text('submitter_email'),
  status: text('status', { enum: ['new', 'reviewed', 'approved', 'rejected'] })
    .notNull()
    .default('new'),
  adminNotes: text('admin_notes'),
  /** Text for the applicant, with the decision. */
  answer: text('answer'),
  /** The record that was created from it; at most one of the two. */
  projectId: uuid('project_id').references(() => projects.id, { onDelete: 'set null' }),
  nextProjectId: uuid('next_project_id').references(() => nextProjects.id, { onDelete: 'set null' }),
  reviewedAt: moment('reviewed_at'),
  projectData: jsonb('project_data').$type<Record<string, unknown>>(),
  /** Public reference number. */
  reference: text('reference').unique(),
  /** Idempotency key of the form. */
  attempt: uuid('attempt').unique(),
  /** Language of the applicant. */
  locale: text('locale', { enum: ['es', 'en'] })
    .notNull()
    .default('es'),
  /** Incremented with each decision of the team. */
  version: integer('version').notNull().default(1),
  createdAt: moment('created_at').notNull().defaultNow(),
  /** Normalized search text of the back office. */
  search: text('search').generatedAlwaysAs(sql`florka_fold(submitter_name)`),
});
