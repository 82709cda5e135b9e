import { orNull, text } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** Waits for the lock on the daily cap of a network; it is released when the transaction ends. */
export const lockCap = statement({
  parameters: { name: text },
  row: { locked: orNull(text) },
  text: (at) => `select pg_advisory_xact_lock(hashtextextended(${at.name}, 727276))::text as locked`,
});
