import { orNull, text } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** Waits until no other transaction changes settings; the lock is released when the transaction ends. */
export const lockSettings = statement({
  parameters: {},
  row: { locked: orNull(text) },
  text: () => `select pg_advisory_xact_lock(hashtext('settings'))::text as locked`,
});
