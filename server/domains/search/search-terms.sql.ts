import { text } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** A text as the searched columns hold it. */
export const normalize = statement({
  parameters: { typed: text },
  row: { normalized: text },
  text: (at) => `select coalesce(florka_fold(${at.typed}), '') as normalized`,
});
