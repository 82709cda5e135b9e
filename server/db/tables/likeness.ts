import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';

/** By what live tokens are found that look alike; written by triggers of the three tables only (server/records/likeness.ts). */
export const likenessKeys = pgTable(
  'likeness_keys',
  {
    kind: text('kind', { enum: ['project', 'candidate', 'next_project'] }).notNull(),
    recordId: uuid('record_id').notNull(),
    nameKey: text('name_key').notNull(),
    symbolKey: text('symbol_key').notNull(),
    /** The names in the hosts of its links. */
    labels: text('labels').array().notNull(),
    /** Everything it is found by, with its kind in front. */
    keys: text('keys').array().notNull(),
    /** The name of its image, when it is one of ours. */
    image: text('image'),
  },
  (table) => [primaryKey({ columns: [table.kind, table.recordId] })],
);
