import { float8, orNull, text } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** The clock of the database, milliseconds since 1970. */
export const readClock = statement({
  parameters: {},
  row: { ms: float8 },
  text: () => 'select coalesce((extract(epoch from clock_timestamp()) * 1000)::double precision, 0) as ms',
});

/** Waits until no other transaction changes settings; the lock is released when the transaction ends. */
export const lockSettings = statement({
  parameters: {},
  row: { locked: orNull(text) },
  text: () => `select pg_advisory_xact_lock(hashtext('settings'))::text as locked`,
});
