import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

/** Keys by which resembling tokens are found; written only by triggers of the three tables (server/records/resemblance.ts). */
export const resemblanceKeys = pgTable(
  'likeness_keys',
  {
    kind: text('kind', { enum: ['project', 'candidate', 'next_project'] }).notNull(),
    recordId: uuid('record_id').notNull(),
    nameKey: text('name_key').notNull(),
    symbolKey: text('symbol_key').notNull(),
    /** The names in the hosts of its links. */
    labels: text('labels').array().notNull(),
    /** All keys that it is found by, prefixed by their kind. */
    keys: text('keys').array().notNull(),
    /** The name of its image, if it is one of ours. */
    image: text('image'),
  },
  (table) => [primaryKey({ columns: [table.kind, table.recordId] })],
);
