import { boolean, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '#server/db/columns.ts';
import { users } from '#server/db/tables/accounts.ts';
import { payments } from '#server/db/tables/payments.ts';
import { refundCases } from '#server/db/tables/refunds.ts';
import { tokenCreationSubmissions } from '#server/db/tables/token-requests.ts';

/** The team's terms for each item of the plans; every version is stored. */
export const deliverableTerms = pgTable(
  'deliverable_terms',
  {
    item: text('item').notNull(),
    version: integer('version').notNull(),
    dueFrom: text('due_from', { enum: ['payment', 'token'] }).notNull(),
    dueDays: smallint('due_days').notNull(),
    ifNotEs: text('if_not_es').notNull(),
    ifNotEn: text('if_not_en').notNull(),
    /** False: plans with it are not on sale. */
    offered: boolean('offered').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [primaryKey({ columns: [table.item, table.version] })],
);

/** One task for each item of a paid plan. */
export const deliverables = pgTable('deliverables', {
  id: uuid('id').primaryKey().defaultRandom(),
  submissionId: uuid('submission_id')
    .notNull()
    .references(() => tokenCreationSubmissions.id, { onDelete: 'restrict' }),
  paymentId: uuid('payment_id')
    .notNull()
    .references(() => payments.id, { onDelete: 'restrict' }),
  position: smallint('position').notNull(),
  item: text('item').notNull(),
  /** The line of the plan that comprises several items; null for a line of its own. */
  line: text('line'),
  termsVersion: integer('terms_version').notNull(),
  dueFrom: text('due_from', { enum: ['payment', 'token'] }).notNull(),
  dueDays: smallint('due_days').notNull(),
  ifNotEs: text('if_not_es').notNull(),
  ifNotEn: text('if_not_en').notNull(),
  /** Null while it depends on a token that is not created yet. */
  dueAt: moment('due_at'),
  ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'set null' }),
  state: text('state', { enum: ['open', 'delivered', 'withdrawn'] })
    .notNull()
    .default('open'),
  evidenceKind: text('evidence_kind', { enum: ['creation', 'statement', 'place', 'url', 'transaction', 'file'] }),
  evidence: text('evidence'),
  note: text('note'),
  doneAt: moment('done_at'),
  doneBy: uuid('done_by').references(() => users.id, { onDelete: 'set null' }),
  withdrawnAt: moment('withdrawn_at'),
  withdrawnBy: uuid('withdrawn_by').references(() => users.id, { onDelete: 'set null' }),
  withdrawnCause: text('withdrawn_cause', { enum: ['team', 'closed', 'refunded'] }),
  withdrawnReason: text('withdrawn_reason'),
  refundId: uuid('refund_id').references(() => refundCases.id, { onDelete: 'restrict' }),
  lateNoticeAt: moment('late_notice_at'),
  version: integer('version').notNull().default(1),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});
