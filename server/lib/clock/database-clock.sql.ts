import { float8 } from '#server/db/pg-types.ts';
import { statement } from '#server/db/statement.ts';

/** The clock of the database, milliseconds since 1970. */
export const readClock = statement({
  parameters: {},
  row: { ms: float8 },
  text: () => 'select coalesce((extract(epoch from clock_timestamp()) * 1000)::double precision, 0) as ms',
});
