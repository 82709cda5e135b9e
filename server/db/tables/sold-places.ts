import { pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';
import { deliverables } from '#server/db/tables/deliverables.ts';
import { projects } from '#server/db/tables/projects.ts';

/** Places on home that a plan sold; their period is set by a trigger, by the database's clock. */
export const soldPlaces = pgTable('sold_places', {
  id: uuid('id').primaryKey().defaultRandom(),
  deliverableId: uuid('deliverable_id')
    .notNull()
    .references(() => deliverables.id, { onDelete: 'restrict' }),
  /** Null when the project was deleted permanently. */
  projectId: uuid('project_id').references(() => projects.id, { onDelete: 'set null' }),
  /** Anywhere on home, or in its Top 3. */
  kind: text('kind', { enum: ['home', 'top3'] }).notNull(),
  days: smallint('days').notNull(),
  startsAt: moment('starts_at').notNull(),
  endsAt: moment('ends_at').notNull(),
  endedAt: moment('ended_at'),
  endCause: text('end_cause', { enum: ['time', 'interrupted', 'withdrawn'] }),
  startedBy: uuid('started_by').references(() => users.id, { onDelete: 'set null' }),
  /** When the consequences of its end were processed. */
  settledAt: moment('settled_at'),
});
