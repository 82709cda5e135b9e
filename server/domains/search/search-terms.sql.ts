import { text } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** A text normalized like the searched columns. */
export const normalize = statement({
  parameters: { typed: text },
  row: { normalized: text },
  text: (at) => `select coalesce(florka_fold(${at.typed}), '') as normalized`,
});
