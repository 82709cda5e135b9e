import { sumCounterChanges } from '#server/db/counters.sql.ts';
import type { Handler } from '#server/jobs/handler.ts';

/** Up to this number of rows a read of all counters takes less than a millisecond. */
const MANY_CHANGES = 500;

export const sumCounters: Handler<'sum-counters'> = async (_input, { services }) => {
  await sumCounterChanges(services.pool, { above: MANY_CHANGES });
};
